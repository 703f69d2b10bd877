import type { ModelRequest, ModelTurn } from '../../../assistants/models/index.ts';
import type { AnswerEnd } from '../rows/answer-end.ts';

/** What an attempt has sent to its model, and how that was given the images of the question. */
export class SentRequest {
  private request: ModelRequest | null = null;
  private refused: 'refused' | null = null;

  send(request: ModelRequest): ModelRequest {
    this.request = request;
    return request;
  }

  /** Notes are sent in place of images; `why` is null where those were only too long. */
  sendNotes(turns: ModelTurn[], why: 'refused' | null): void {
    if (this.request) this.request = { ...this.request, turns };
    this.refused = why;
  }

  get turns(): readonly ModelTurn[] {
    return this.request?.turns ?? [];
  }

  /** How the model was given the images of the question; null where it saw one, or there is none. */
  get images(): NonNullable<AnswerEnd['images']> | null {
    const own = this.turns.at(-1)?.images ?? [];
    if (own.length === 0 || own.some(({ read }) => read !== null)) return null;
    return this.refused ?? 'note';
  }
}
