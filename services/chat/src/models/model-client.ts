import type { GenerationFailure } from '@parley/contracts';

export type ModelTurn = { readonly role: 'person' | 'assistant'; readonly text: string };
/** A passage that the answer may draw on; the text refers to it as `[number]`. */
export type NumberedPassage = { readonly number: number; readonly documentName: string; readonly heading: string | null; readonly text: string };

export type ModelRequest = {
  /** The conversation up to and with the question, oldest first. */
  readonly turns: readonly ModelTurn[];
  readonly passages: readonly NumberedPassage[];
  /** How many searchable documents there are, cited or not. */
  readonly documentCount: number;
  readonly locale: string;
  readonly signal: AbortSignal;
};

export type ModelPart = { readonly kind: 'text'; readonly text: string } | { readonly kind: 'usage'; readonly inputTokens: number; readonly outputTokens: number };

/**
 * Something that answers. Yields text as it comes; ends normally only when the answer is whole; otherwise throws `ModelFailure`.
 * Aborting the signal ends it soon, by an exception of any kind.
 */
export type ModelClient = { stream(request: ModelRequest): AsyncIterable<ModelPart> };

/** Why a model gave no whole answer. `detail` is what the provider said, shortened, without secrets. */
export class ModelFailure extends Error {
  readonly reason: GenerationFailure;
  readonly detail: string | null;

  constructor(reason: GenerationFailure, detail: string | null, options?: ErrorOptions) {
    super(detail ?? reason, options);
    this.name = 'ModelFailure';
    this.reason = reason;
    this.detail = detail;
  }
}
