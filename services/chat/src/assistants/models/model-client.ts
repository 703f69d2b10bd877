import { assumedContextTokens, type FileId, type GenerationFailure, type PassageLocation } from '@parley/contracts';

/** A file of a question. `text` is all of it; null: what fits the question is among the passages. */
export type ModelFile = { readonly name: string; readonly text: string | null };
/** An image of a question. */
export type ModelImage = {
  /** Absent of one that is gone, or that was never stored. */
  readonly id?: FileId;
  readonly name: string;
  /** It takes so much of the context (`imageTokens`); 0 unless it is sent. */
  readonly tokens: number;
  /** Reads its bytes, each time it is called; null where it is gone. Null: the model is only told that there is one. */
  readonly read: (() => Promise<Uint8Array | null>) | null;
  /** Absent: `image/jpeg`. */
  readonly mediaType?: 'image/png';
};
export type ModelMessage = {
  readonly role: 'person' | 'assistant';
  readonly text: string;
  /** Those of a question, which stand before its text. Absent: none. */
  readonly files?: readonly ModelFile[];
  /** As `files`. */
  readonly images?: readonly ModelImage[];
};
/** A passage that the answer may draw on; the text refers to it as `[number]`. */
export type NumberedPassage = {
  readonly number: number;
  readonly documentName: string;
  readonly heading: string | null;
  readonly place?: PassageLocation | undefined;
  readonly text: string;
  /** How close it is to the question in meaning, where it was found so. */
  readonly similarity?: number;
  /** The organisation has written it for this very question. */
  readonly curated?: { readonly by: string; readonly at: string };
};

export type ModelRequest = {
  /** What the chatbot is told before the conversation; empty where it is told nothing. */
  readonly instructions: string;
  /** Nothing may be said but what the passages say. */
  readonly onlyFromDocuments: boolean;
  /** Null leaves it to the model server. */
  readonly temperature: number | null;
  /** The conversation up to and with the question, oldest first. */
  readonly path: readonly ModelMessage[];
  /** What is written of the answer: the model goes on behind its end. Empty where it begins. */
  readonly beginning: string;
  readonly passages: readonly NumberedPassage[];
  /** How many searchable documents there are, cited or not. */
  readonly documentCount: number;
  /** Context length of the model, answer included; older messages are left out until the rest fits. */
  readonly contextTokens: number;
  /** The model is told to say no more; null leaves it to the model server. */
  readonly maxOutputTokens: number | null;
  /** The model is told to end in front of the first of them; whoever reads it sees to that, too. */
  readonly stops: readonly string[];
  readonly locale: string;
  readonly signal: AbortSignal;
};

/** Returns a request that has these messages only, without other options. */
export const plainRequest = (path: ModelRequest['path'], signal: AbortSignal): ModelRequest => ({
  instructions: '',
  onlyFromDocuments: false,
  temperature: null,
  path,
  beginning: '',
  passages: [],
  documentCount: 0,
  contextTokens: assumedContextTokens,
  maxOutputTokens: null,
  stops: [],
  locale: 'en',
  signal,
});

/** `reasoning` is what the model thinks before it answers; `text` is the answer. */
export type ModelPart =
  | { readonly kind: 'text'; readonly text: string }
  | { readonly kind: 'reasoning'; readonly text: string }
  | {
      readonly kind: 'usage';
      readonly inputTokens: number;
      readonly outputTokens: number;
      readonly cachedTokens?: number;
    };

/** Takes a part. Where it returns a promise, its sender sends no more before that resolves. */
export type OnPart = (part: ModelPart) => unknown;

/**
 * Something that answers. Calls `onPart` with text as it comes, and reads its server no further before `onPart` wants more;
 * resolves only when the answer is whole, otherwise rejects with `ModelFailure`. Aborting the signal, or throwing in
 * `onPart`, ends it soon, by a rejection of any kind; nothing is called after it.
 */
export type ModelClient = { answer(request: ModelRequest, onPart: OnPart): Promise<void> };

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
