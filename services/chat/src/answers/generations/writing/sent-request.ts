import type { FileId } from '@parley/contracts';
import {
  inputTokens,
  type ModelRequest,
  type ModelMessage,
  type ModelImage,
} from '../../../assistants/models/index.ts';
import { estimateTokens } from '../rows/generation.ts';
import type { AnswerEnd } from '../rows/answer-end.ts';

/** Records what an attempt sent to its model, and how the model got the images of the question. */
export class SentRequest {
  private request: ModelRequest | null = null;
  private refused: 'refused' | null = null;

  send(request: ModelRequest): ModelRequest {
    this.request = request;
    return request;
  }

  /** Sends notes in place of images; `why` is null if those were only too long. */
  sendNotes(path: ModelMessage[], why: 'refused' | null): void {
    if (this.request) this.request = { ...this.request, path };
    this.refused = why;
  }

  get isSent(): boolean {
    return this.request !== null;
  }

  /** How the model got the images of the question; null if it saw one, or there is none. */
  get images(): NonNullable<AnswerEnd['images']> | null {
    if (this.own.length === 0 || this.own.some(isSeen)) return null;
    return this.refused ?? 'note';
  }

  /** Lists the images of the question that the model didn't see, if it saw others. */
  get leftOut(): FileId[] {
    if (!this.own.some(isSeen)) return [];
    return this.own.flatMap((image) => (isSeen(image) || !image.id ? [] : [image.id]));
  }

  private get own(): readonly ModelImage[] {
    return this.request?.path.at(-1)?.images ?? [];
  }

  /**
   * Estimates the input if the provider reports none: all that was sent, as for the reservation, each text by its
   * characters.
   */
  estimate(): number {
    return this.request ? inputTokens(this.request, estimateTokens) : 0;
  }

  /** Counts what the built-in assistant reads: it has no prompt but the conversation and what it continues. */
  estimateConversation(): number {
    const { path = [], beginning = '' } = this.request ?? {};
    return path.reduce((sum, { text }) => sum + estimateTokens(text), estimateTokens(beginning));
  }
}

const isSeen = ({ read }: ModelImage): boolean => read !== null;
