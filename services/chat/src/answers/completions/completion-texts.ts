import {
  tooLongToRead,
  toOpenAiError,
  type Completion,
  type CompletionChunk,
  type CompletionId,
  type GenerationFailure,
} from '@parley/contracts';
import { Problem } from '@parley/protocol';
import type { Generation } from '../generations/index.ts';

/** The first fields of each event, which all events of an answer share. */
export type CompletionHead = { readonly id: CompletionId; readonly created: number; readonly model: string };

const finishOf = ({ isCut }: Generation) => (isCut ? ('length' as const) : ('stop' as const));

const citationsOf = ({ citations }: Generation): Completion['citations'] =>
  citations.map(({ number, documentId, chunkId, documentName, heading, place, curated }) => ({
    number,
    document_id: documentId,
    passage_id: chunkId,
    title: documentName,
    heading,
    ...(place && { place }),
    curated: curated !== undefined,
  }));

function usageOf({ usage }: Generation): Completion['usage'] {
  const { inputTokens = 0, outputTokens = 0, cachedTokens = 0 } = usage ?? {};
  return {
    prompt_tokens: inputTokens,
    completion_tokens: outputTokens,
    total_tokens: inputTokens + outputTokens,
    prompt_tokens_details: { cached_tokens: cachedTokens },
  };
}

/** A whole answer. */
export const toCompletion = (head: CompletionHead, ended: Generation): Completion => ({
  ...head,
  object: 'chat.completion',
  choices: [
    {
      index: 0,
      message: { role: 'assistant', content: ended.text, refusal: null },
      logprobs: null,
      finish_reason: finishOf(ended),
    },
  ],
  usage: usageOf(ended),
  citations: citationsOf(ended),
});

/** Writes the pieces of an answer as server-sent events. */
export class CompletionEvents {
  private readonly head: CompletionHead;
  private readonly hasUsage: boolean;

  constructor(head: CompletionHead, { hasUsage }: { readonly hasUsage: boolean }) {
    this.head = head;
    this.hasUsage = hasUsage;
  }

  beginning(): string {
    return this.choice({ role: 'assistant', content: '' }, null);
  }

  words(content: string): string {
    return this.choice({ content }, null);
  }

  end(ended: Generation): string {
    const last = this.choice({}, finishOf(ended), { citations: citationsOf(ended) });
    const usage = this.hasUsage ? this.event({ choices: [], usage: usageOf(ended) }) : '';
    return `${last}${usage}data: [DONE]\n\n`;
  }

  /** Returns an SSE comment without content, which keeps the connection alive. */
  stillHere(): string {
    return ': still here\n\n';
  }

  failure(problem: Problem): string {
    return `data: ${JSON.stringify({ error: toOpenAiError(problem.toDetails()) })}\n\n`;
  }

  private choice(
    delta: CompletionChunk['choices'][number]['delta'],
    finish: CompletionChunk['choices'][number]['finish_reason'],
    more: Pick<CompletionChunk, 'citations'> = {},
  ): string {
    const choices = [{ index: 0 as const, delta, logprobs: null, finish_reason: finish }];
    return this.event({ choices, ...more, ...(this.hasUsage && { usage: null }) });
  }

  private event(piece: Pick<CompletionChunk, 'choices' | 'citations' | 'usage'>): string {
    const chunk: CompletionChunk = { ...this.head, object: 'chat.completion.chunk', ...piece };
    return `data: ${JSON.stringify(chunk)}\n\n`;
  }
}

const wordsOf: Partial<Record<GenerationFailure, string>> = {
  'provider-refused': 'The model server does not accept its key.',
  'provider-unreachable': 'The model server cannot be reached.',
  'provider-unknown-host': 'The address of the model server leads nowhere.',
  'provider-stalled': 'The model server said nothing for too long.',
  'provider-cut': 'The model server broke off.',
  'model-missing': 'The model is not there any more.',
};

/** The Retry-After in seconds, if a model server doesn't say when it accepts questions again. */
const usualWaitSeconds = 5;

/**
 * Returns the problem that an answer ended with; null if it is complete or reached its length limit. The caller adds a
 * retry time if other answers have reserved the budget.
 */
export function problemOf({ status, failure, failureDetail }: Generation): Problem | null {
  if (status === 'done') return null;
  if (status === 'stopped')
    return new Problem('chat.answer-stopped', {
      detail: 'It was stopped by somebody who may, or by a change of rights.',
    });
  if (failure === 'budget-spent' && failureDetail?.endsWith(' held'))
    return new Problem('platform.rate-limited', {
      detail: 'Answers that are being written hold what is left of the budget. Ask again when one of them has ended.',
    });
  if (failure === 'budget-spent')
    return new Problem('chat.budget-spent', { detail: 'What the answer can cost is more than the budget has left.' });
  if (failure === 'budget-unavailable')
    return new Problem('platform.unavailable', { detail: 'Nobody can say now whether there is a budget left.' });
  if (failure === null || failure === 'internal' || failure === 'deadline-passed')
    return new Problem('chat.answer-interrupted', { detail: 'What was used is billed. Ask again.' });
  if (failure === 'context-too-long')
    return new Problem('chat.context-too-long', {
      detail: `The question, with the messages and passages that belong to it, ${tooLongToRead}. Send less.`,
      ...(failureDetail && { providerMessage: failureDetail }),
    });
  if (failure === 'images-refused')
    return new Problem('chat.images-not-accepted', {
      detail: 'The model refused the images. Choose another chatbot, or send text only.',
    });
  const said = failureDetail ? ` It said: ${failureDetail}` : '';
  if (failure === 'provider-rate-limited') {
    const seconds = /Retry-After: (\d+) s$/.exec(failureDetail ?? '')?.[1];
    return new Problem('platform.rate-limited', {
      detail: `The model server takes no more questions for now.${said}`,
      retryAfterSeconds: Number(seconds ?? usualWaitSeconds),
    });
  }
  return new Problem('chat.provider-failed', { detail: (wordsOf[failure] ?? 'The model server failed.') + said });
}
