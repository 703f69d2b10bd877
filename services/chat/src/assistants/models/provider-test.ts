import type { GenerationFailure, ModelImages, testProvider } from '@parley/contracts';
import type { ResponseOf } from '@parley/protocol';
import { ModelFailure, plainRequest, type ModelClient } from './model-client.ts';
import { testImages } from './image-test.ts';
import { contextsIn, fetchModels, imagesIn, type ListedModel } from './model-list.ts';
import type { ModelServer } from './model-server.ts';
import type { AskedModel } from './sdk-client.ts';
import { clientFor } from './client-for.ts';

type TestResult = ResponseOf<typeof testProvider>;
type Step = NonNullable<TestResult['failedStep']>;
const answerTimeoutMs = 30_000;
/** With the list and the answer within what a route waits. */
const imageTimeoutMs = 15_000;

/**
 * Tries what a chat will do: reach the address, list models, stream one short answer. Some servers have no model list:
 * with a model named, only the answer counts. Where the list does not say whether it accepts images, it is asked about one.
 */
export async function runProviderTest(server: ModelServer, asked: AskedModel | null): Promise<TestResult> {
  let listed: ListedModel[] = [];
  try {
    listed = await fetchModels(server, 10_000);
  } catch (error) {
    const failure = error as ModelFailure;
    const mayGoOn = asked !== null && (failure.reason === 'model-missing' || failure.reason === 'provider-error');
    if (!mayGoOn) return failed(stepOf(failure, 'models'), failure, listed);
  }
  if (asked === null) return passed(listed, null);
  try {
    const client = clientFor(server, asked);
    const firstTokenMs = await firstToken(client);
    return passed(listed, firstTokenMs, await testedImages(listed, asked, client));
  } catch (error) {
    return failed(stepOf(error as ModelFailure, 'answer'), error as ModelFailure, listed);
  }
}

/** What a test of one model finds, where the list does not say it. */
async function testedImages(
  listed: readonly ListedModel[],
  { model }: AskedModel,
  client: ModelClient,
): Promise<ModelImages[]> {
  const known = listed.find(({ name }) => name === model);
  if (known && known.acceptsImages !== null) return [];
  const accepts = await testImages(client, { timeoutMs: imageTimeoutMs });
  return accepts === null ? [] : [{ model, accepts }];
}

async function firstToken(client: ModelClient): Promise<number> {
  const startedAt = performance.now();
  const controller = new AbortController();
  let firstTokenMs: number | null = null;
  const timer = setTimeout(() => controller.abort(), answerTimeoutMs);
  try {
    const question = { role: 'person', text: 'Answer with the word: ready' } as const;
    await client.answer(plainRequest([question], controller.signal), (part) => {
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

const listOf = (listed: readonly ListedModel[]): Pick<TestResult, 'models' | 'contexts' | 'images'> => ({
  models: listed.map(({ name }) => name),
  contexts: contextsIn(listed),
  images: imagesIn(listed),
});

const passed = (
  listed: readonly ListedModel[],
  firstTokenMs: number | null,
  tested: readonly ModelImages[] = [],
): TestResult => ({
  ok: true,
  failedStep: null,
  failure: null,
  detail: null,
  ...listOf(listed),
  images: [...imagesIn(listed), ...tested],
  firstTokenMs,
});

const failed = (failedStep: Step, failure: ModelFailure, listed: readonly ListedModel[]): TestResult => ({
  ok: false,
  failedStep,
  failure: failure.reason,
  detail: failure.detail,
  ...listOf(listed),
  firstTokenMs: null,
});
