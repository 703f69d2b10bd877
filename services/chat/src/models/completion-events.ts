import { createParser, type EventSourceParser } from 'eventsource-parser';
import type { Readable } from 'node:stream';
import { ModelFailure, type ModelPart } from './model-client.ts';

const longestEvent = 1_000_000;
const closeWithinMs = 1_000;

/** What Parley reads of a `chat.completion.chunk`; anything in it may be absent. */
type CompletionChunk = {
  readonly choices?:
    | readonly { readonly delta?: { readonly content?: unknown } | null; readonly finish_reason?: unknown }[]
    | null;
  readonly usage?: { readonly prompt_tokens?: unknown; readonly completion_tokens?: unknown } | null;
  readonly error?: { readonly message?: unknown } | string | null;
};

/**
 * Hands on the parts of a streamed chat completion: server-sent events, each a `chat.completion.chunk`, ended by
 * `[DONE]`
 * (https://platform.openai.com/docs/api-reference/chat-streaming). Rejects with `ModelFailure` `provider-cut` when the
 * body ends
 * without a finish reason, `provider-error` on anything that is no such chunk.
 */
export function readCompletion(body: Readable, onPart: (part: ModelPart) => void): Promise<void> {
  return new Promise((resolve, reject) => {
    const decoder = new TextDecoder();
    const completion = new Completion(onPart);
    // What follows `[DONE]` is of no interest; a server that never closes is left.
    const settle = () => {
      resolve();
      const timer = setTimeout(() => body.destroy(), closeWithinMs);
      body.once('close', () => clearTimeout(timer));
    };
    body.on('data', (bytes: Uint8Array) => {
      const wasOver = completion.isOver;
      try {
        completion.feed(decoder.decode(bytes, { stream: true }));
        if (completion.isOver && !wasOver) settle();
      } catch (error) {
        body.destroy(error as Error);
      }
    });
    body.once('error', reject);
    body.once('end', () => (completion.isWhole ? resolve() : reject(new ModelFailure('provider-cut', null))));
    body.once('close', () => reject(new ModelFailure('provider-cut', null)));
  });
}

class Completion {
  isWhole = false;
  isOver = false;
  private readonly parser: EventSourceParser;
  private readonly onPart: (part: ModelPart) => void;

  constructor(onPart: (part: ModelPart) => void) {
    this.onPart = onPart;
    this.parser = createParser({
      maxBufferSize: longestEvent,
      onEvent: ({ data }) => this.take(data),
      onError: ({ type }) => {
        if (type === 'max-buffer-size-exceeded')
          throw new ModelFailure('provider-error', 'The model server sent an event of over 1 MB.');
      },
    });
  }

  feed(text: string): void {
    this.parser.feed(text);
  }

  private take(event: string): void {
    if (this.isOver) return;
    if (event === '[DONE]') {
      this.isWhole = true;
      this.isOver = true;
      return;
    }
    const chunk = toChunk(event);
    const choice = chunk.choices?.[0];
    if (typeof choice?.delta?.content === 'string' && choice.delta.content !== '')
      this.onPart({ kind: 'text', text: choice.delta.content });
    if (choice?.finish_reason) this.isWhole = true;
    const usage = toUsage(chunk);
    if (usage) this.onPart(usage);
  }
}

function toChunk(event: string): CompletionChunk {
  let chunk: CompletionChunk | null;
  try {
    chunk = JSON.parse(event) as CompletionChunk | null;
  } catch (error) {
    throw new ModelFailure('provider-error', 'The model server sent something that is not JSON.', { cause: error });
  }
  if (typeof chunk !== 'object' || chunk === null)
    throw new ModelFailure('provider-error', 'The model server sent something that is no completion.');
  if (chunk.error) throw new ModelFailure('provider-error', messageOf(chunk.error));
  return chunk;
}

function messageOf(error: NonNullable<CompletionChunk['error']>): string {
  const message = typeof error === 'string' ? error : error.message;
  return typeof message === 'string' ? message.slice(0, 300) : 'The model server reported an error.';
}

function toUsage({ usage }: CompletionChunk): ModelPart | null {
  const [inputTokens, outputTokens] = [usage?.prompt_tokens, usage?.completion_tokens];
  return isCount(inputTokens) && isCount(outputTokens) ? { kind: 'usage', inputTokens, outputTokens } : null;
}

const isCount = (value: unknown): value is number => Number.isSafeInteger(value) && (value as number) >= 0;
