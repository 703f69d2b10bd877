import { createParser, type EventSourceMessage, type EventSourceParser } from 'eventsource-parser';
import type { Readable } from 'node:stream';
import { ModelFailure, type ModelPart, type OnPart } from './model-client.ts';
import { usagePart } from './usage-part.ts';
import { withoutSecrets } from './without-secrets.ts';

const longestEvent = 65_536;
const field = 'data: ';
const closeWithinMs = 1_000;

/** What Parley reads of a `chat.completion.chunk`; anything in it may be absent, but not be something else. */
type CompletionChunk = {
  readonly choices?: unknown;
  readonly usage?: {
    readonly prompt_tokens?: unknown;
    readonly completion_tokens?: unknown;
    readonly prompt_tokens_details?: { readonly cached_tokens?: unknown } | null;
  } | null;
  readonly error?: { readonly message?: unknown } | string | null;
};
type Choice = { readonly delta?: unknown; readonly finish_reason?: unknown };
/** The words a model thinks before it answers come under one of two names, by server. */
type Delta = { readonly content?: unknown; readonly reasoning?: unknown; readonly reasoning_content?: unknown };

/**
 * Hands on the parts of a streamed chat completion, and whether it was cut at its limit of tokens: server-sent events, each a `chat.completion.chunk`, ended by
 * `[DONE]`
 * (https://platform.openai.com/docs/api-reference/chat-streaming). Rejects with `ModelFailure` `provider-cut` when the
 * body ends
 * without a finish reason, `provider-error` on anything that is no such chunk. What the server says of an error is
 * handed on without the key that opens it.
 */
export function readCompletion(
  body: Readable,
  onPart: OnPart,
  apiKey: string | null,
): Promise<{ readonly isCut: boolean }> {
  return new Promise((resolve, reject) => {
    const decoder = new TextDecoder();
    let full: Promise<void> | null = null;
    const passOn = (part: ModelPart): void => {
      const taken = onPart(part);
      if (taken instanceof Promise) full = taken as Promise<void>;
    };
    const completion = new Completion(passOn, apiKey);
    const wait = (until: Promise<void>): void => {
      full = null;
      body.pause();
      void until.finally(() => body.resume());
    };
    // What follows `[DONE]` is of no interest; a server that never closes is left.
    const settle = () => {
      resolve({ isCut: completion.isCut });
      const timer = setTimeout(() => body.destroy(), closeWithinMs);
      body.once('close', () => clearTimeout(timer));
    };
    body.on('data', (bytes: Uint8Array) => {
      const wasOver = completion.isOver;
      try {
        completion.feed(decoder.decode(bytes, { stream: true }));
        if (completion.isOver && !wasOver) settle();
        if (full) wait(full);
      } catch (error) {
        // Here, and not by the body's `error`: its `end` may be on the way already.
        reject(error as Error);
        body.destroy(error as Error);
      }
    });
    body.once('error', reject);
    body.once('end', () =>
      completion.isWhole ? resolve({ isCut: completion.isCut }) : reject(new ModelFailure('provider-cut', null)),
    );
    body.once('close', () => reject(new ModelFailure('provider-cut', null)));
  });
}

class Completion {
  isWhole = false;
  isCut = false;
  isOver = false;
  private readonly parser: EventSourceParser;
  private readonly onPart: (part: ModelPart) => void;
  private readonly apiKey: string | null;

  constructor(onPart: (part: ModelPart) => void, apiKey: string | null) {
    this.onPart = onPart;
    this.apiKey = apiKey;
    this.parser = createParser({
      maxBufferSize: longestEvent + field.length,
      onEvent: (event) => this.take(event),
      onError: ({ type }) => {
        throw type === 'max-buffer-size-exceeded' ? tooLarge() : malformed('a line that is no event');
      },
    });
  }

  feed(text: string): void {
    if (!this.isOver) this.parser.feed(text);
  }

  private take({ event, data }: EventSourceMessage): void {
    if (this.isOver) return;
    if (Buffer.byteLength(data) > longestEvent) throw tooLarge();
    if (data === '[DONE]') {
      this.isWhole = true;
      this.isOver = true;
      return;
    }
    const chunk = toChunk(data);
    const error = event === 'error' ? (chunk.error ?? (chunk as CompletionChunk['error'])) : chunk.error;
    if (error) throw new ModelFailure('provider-error', withoutSecrets(messageOf(error), this.apiKey));
    const choice = choiceOf(chunk);
    const { content, ...thought } = deltaOf(choice);
    const said = thought.reasoning_content || thought.reasoning;
    if (typeof said === 'string' && said !== '') this.onPart({ kind: 'reasoning', text: said });
    if (content) this.onPart({ kind: 'text', text: content });
    if (choice.finish_reason) this.isWhole = true;
    if (choice.finish_reason === 'length') this.isCut = true;
    const usage = toUsage(chunk);
    if (usage) this.onPart(usage);
  }
}

const malformed = (what: string, cause?: unknown): ModelFailure =>
  new ModelFailure('provider-error', `The model server sent ${what}.`, { cause });
const tooLarge = (): ModelFailure => malformed('an event of over 64 KB');

function toChunk(data: string): CompletionChunk {
  let chunk: unknown;
  try {
    chunk = JSON.parse(data);
  } catch (error) {
    throw malformed('something that is not JSON', error);
  }
  return asObject(chunk);
}

function choiceOf({ choices }: CompletionChunk): Choice {
  const all = choices ?? [];
  if (!Array.isArray(all)) throw noCompletion();
  return asObject(all[0] ?? {});
}

/** Content that is a list is passed over: some servers send what a model thinks like that. */
function deltaOf({ delta }: Choice): Omit<Delta, 'content'> & { readonly content: string | null } {
  const { content, ...thought } = asObject<Delta>(delta ?? {});
  if (typeof content === 'string') return { content, ...thought };
  if (content === undefined || content === null || Array.isArray(content)) return { content: null, ...thought };
  throw noCompletion();
}

function asObject<Value extends object>(value: unknown): Value {
  if (typeof value !== 'object' || value === null || Array.isArray(value)) throw noCompletion();
  return value as Value;
}

const noCompletion = (): ModelFailure => malformed('something that is no completion');

function messageOf(error: NonNullable<CompletionChunk['error']>): string {
  const message = typeof error === 'string' ? error : error.message;
  return typeof message === 'string' ? message : 'The model server reported an error.';
}

const toUsage = ({ usage }: CompletionChunk): ModelPart | null =>
  usagePart(usage?.prompt_tokens, usage?.completion_tokens, usage?.prompt_tokens_details?.cached_tokens);
