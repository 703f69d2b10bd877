import type { FileId } from '@parley/contracts';
import {
  inputTokens,
  type ModelRequest,
  type ModelMessage,
  type ModelImage,
} from '../../../assistants/models/index.ts';
import { estimateTokens } from '../rows/generation.ts';
import type { AnswerEnd } from '../rows/answer-end.ts';

/** Records an attempt's request to its model, and how the model got the images of the question. */
export class SentRequest {
  private request: ModelRequest | null = null;
  private refused: 'refused' | null = null;

  send(request: ModelRequest): ModelRequest {
    this.request = request;
    return request;
  }

  /**
   * Sends notes in place of images. `why` is `refused` if the model refused them, null if the images were too large.
   */
  sendNotes(path: ModelMessage[], why: 'refused' | null): void {
    if (this.request) this.request = { ...this.request, path };
    this.refused = why;
  }

  get isSent(): boolean {
    return this.request !== null;
  }

  /**
   * How the model got the images of the question instead of seeing them; null if it saw at least one, or the question
   * has none.
   */
  get images(): NonNullable<AnswerEnd['images']> | null {
    if (this.own.length === 0 || this.own.some(isSeen)) return null;
    return this.refused ?? 'note';
  }

  /** Lists images of the question that the model didn't see although it saw others. */
  get leftOut(): FileId[] {
    if (!this.own.some(isSeen)) return [];
    return this.own.flatMap((image) => (isSeen(image) || !image.id ? [] : [image.id]));
  }

  private get own(): readonly ModelImage[] {
    return this.request?.path.at(-1)?.images ?? [];
  }

  /**
   * Estimates the input tokens if the provider reports none. Counts everything that was sent, each text by its
   * characters, like the reservation.
   */
  estimate(): number {
    return this.request ? inputTokens(this.request, estimateTokens) : 0;
  }

  /** Estimates the input of the built-in assistant, which reads only the conversation and the continued text. */
  estimateConversation(): number {
    const { path = [], beginning = '' } = this.request ?? {};
    return path.reduce((sum, { text }) => sum + estimateTokens(text), estimateTokens(beginning));
  }
}

const isSeen = ({ read }: ModelImage): boolean => read !== null;
