import type { GenerationFailure, ResponseOf, testProvider } from '@parley/contracts';
import { ModelFailure, type ModelClient } from './model-client.ts';
import { fetchModels } from './model-list.ts';
import type { ModelServer } from './model-server.ts';
import type { AskedModel } from './sdk-client.ts';
import { clientFor } from './client-for.ts';

type TestResult = ResponseOf<typeof testProvider>;
type Step = NonNullable<TestResult['failedStep']>;
const answerTimeoutMs = 30_000;

/**
 * Tries what a chat will do: reach the address, list models, stream one short answer. Some servers have no model list:
 * with a model named, only the answer counts.
 */
export async function runProviderTest(server: ModelServer, asked: AskedModel | null): Promise<TestResult> {
  let models: string[] = [];
  try {
    models = await fetchModels(server, 10_000);
  } catch (error) {
    const failure = error as ModelFailure;
    const mayGoOn = asked !== null && (failure.reason === 'model-missing' || failure.reason === 'provider-error');
    if (!mayGoOn) return failed(stepOf(failure, 'models'), failure, models);
  }
  if (asked === null) return { ok: true, failedStep: null, failure: null, detail: null, models, firstTokenMs: null };
  try {
    const firstTokenMs = await firstToken(clientFor(server, asked));
    return { ok: true, failedStep: null, failure: null, detail: null, models, firstTokenMs };
  } catch (error) {
    return failed(stepOf(error as ModelFailure, 'answer'), error as ModelFailure, models);
  }
}

async function firstToken(client: ModelClient): Promise<number> {
  const startedAt = performance.now();
  const controller = new AbortController();
  let firstTokenMs: number | null = null;
  const timer = setTimeout(() => controller.abort(), answerTimeoutMs);
  try {
    const request = {
      instructions: '',
      onlyFromDocuments: false,
      temperature: null,
      turns: [{ role: 'person' as const, text: 'Answer with the word: ready' }],
      beginning: '',
      passages: [],
      maxOutputTokens: null,
      stops: [],
      documentCount: 0,
      locale: 'en',
      signal: controller.signal,
    };
    await client.answer(request, (part) => {
      if (part.kind !== 'text') return;
      firstTokenMs ??= Math.round(performance.now() - startedAt);
      controller.abort();
    });
    if (firstTokenMs !== null) return firstTokenMs;
    throw new ModelFailure('provider-error', 'The model ended its answer without a word.');
  } catch (error) {
    if (firstTokenMs !== null) return firstTokenMs;
    if (controller.signal.aborted)
      throw new ModelFailure('provider-stalled', `No word within ${answerTimeoutMs / 1000} s.`, { cause: error });
    throw error;
  } finally {
    clearTimeout(timer);
  }
}

function stepOf(failure: ModelFailure, otherwise: Step): Step {
  const byReason: Partial<Record<GenerationFailure, Step>> = {
    'provider-refused': 'key',
    'provider-unreachable': 'connection',
    'provider-unknown-host': 'connection',
  };
  const isForbidden = (failure.cause as { code?: string } | undefined)?.code === 'platform.address-not-allowed';
  return isForbidden ? 'address' : (byReason[failure.reason] ?? otherwise);
}

const failed = (failedStep: Step, failure: ModelFailure, models: string[]): TestResult => ({
  ok: false,
  failedStep,
  failure: failure.reason,
  detail: failure.detail,
  models,
  firstTokenMs: null,
});
