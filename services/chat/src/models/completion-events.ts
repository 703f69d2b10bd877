import { createParser } from 'eventsource-parser';
import { ModelFailure, type ModelPart } from './model-client.ts';

const longestEvent = 1_000_000;

/** What Parley reads of a `chat.completion.chunk`; anything in it may be absent. */
type CompletionChunk = {
  readonly choices?: readonly { readonly delta?: { readonly content?: unknown } | null; readonly finish_reason?: unknown }[] | null;
  readonly usage?: { readonly prompt_tokens?: unknown; readonly completion_tokens?: unknown } | null;
  readonly error?: { readonly message?: unknown } | string | null;
};

/**
 * The parts of a streamed chat completion: server-sent events, each a `chat.completion.chunk`, ended by `[DONE]`
 * (https://platform.openai.com/docs/api-reference/chat-streaming). Throws `ModelFailure` `provider-cut` when the body ends without
 * a finish reason, `provider-error` on anything that is no such chunk.
 */
export async function* readCompletion(body: AsyncIterable<Uint8Array>): AsyncGenerator<ModelPart> {
  const decoder = new TextDecoder();
  let events: string[] = [];
  const parser = createParser({
    maxBufferSize: longestEvent,
    onEvent: ({ data }) => events.push(data),
    onError: ({ type }) => {
      if (type === 'max-buffer-size-exceeded') throw new ModelFailure('provider-error', 'The model server sent an event of over 1 MB.');
    },
  });
  let hasFinished = false;
  for await (const bytes of body) {
    parser.feed(decoder.decode(bytes, { stream: true }));
    for (const event of events) {
      if (event === '[DONE]') return;
      const chunk = toChunk(event);
      const choice = chunk.choices?.[0];
      if (typeof choice?.delta?.content === 'string' && choice.delta.content !== '') yield { kind: 'text', text: choice.delta.content };
      if (choice?.finish_reason) hasFinished = true;
      const usage = toUsage(chunk);
      if (usage) yield usage;
    }
    events = [];
  }
  if (!hasFinished) throw new ModelFailure('provider-cut', null);
}

function toChunk(event: string): CompletionChunk {
  let chunk: CompletionChunk | null;
  try {
    chunk = JSON.parse(event) as CompletionChunk | null;
  } catch (error) {
    throw new ModelFailure('provider-error', 'The model server sent something that is not JSON.', { cause: error });
  }
  if (typeof chunk !== 'object' || chunk === null) throw new ModelFailure('provider-error', 'The model server sent something that is no completion.');
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
