import type { GenerationFailure } from '@parley/contracts';
import type { Platform } from '@parley/platform/service';
import type { AnswerEnd } from '../rows/answer-end.ts';
import type { FinishAnswer } from '../writing/finish-answer.ts';
import type { Generation } from '../rows/generation.collection.ts';
import type { PrepareAnswer } from '../asking/prepare-answer.ts';

/** Failures of this model itself, after which another model might still answer. */
const ofTheModel: ReadonlySet<GenerationFailure | null> = new Set<GenerationFailure>([
  'provider-refused',
  'provider-rate-limited',
  'provider-overloaded',
  'context-too-long',
  'images-refused',
  'provider-error',
  'provider-unreachable',
  'provider-unknown-host',
  'provider-stalled',
  'provider-cut',
  'model-missing',
]);
const nothingUsed = { inputTokens: 0, outputTokens: 0, estimated: true } as const;

type Parts = { readonly platform: Platform; readonly prepare: PrepareAnswer; readonly finish: FinishAnswer };

/**
 * Asks the chatbot's fallback model, if it has one, after the first model failed before its first word. That is the
 * next attempt under the same lease. Never asks it after a word, so that no answer mixes two models. Returns null if
 * the answer ends as it is.
 */
export async function fallBack(parts: Parts, held: Generation, end: AnswerEnd): Promise<Generation | null> {
  const { failure } = end;
  const isFor = held.fallback && end.status === 'failed' && end.firstTokenAt === null && ofTheModel.has(failure);
  if (!isFor || failure === null) return null;
  try {
    const model = await parts.prepare.fallbackOf(held);
    const next = model && (await parts.finish.fallBack(held, { model, failure, usage: end.usage ?? nothingUsed }));
    if (next) {
      const { _id: generationId, epoch } = next;
      parts.platform.logger.info({ generationId, epoch, failure }, 'an answer is asked of the fallback');
    }
    return next;
  } catch (error) {
    parts.platform.logger.warn({ err: error }, 'the fallback of a chatbot could not be asked');
    return null;
  }
}
