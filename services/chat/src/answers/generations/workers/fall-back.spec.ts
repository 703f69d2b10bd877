import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import type { GenerationFailure, ModelKey } from '@parley/contracts';
import { createLogger } from '@parley/platform/logging';
import type { Platform } from '@parley/platform/service';
import { callContext } from '@parley/platform/work';
import { eventually, silentLogger } from '@parley/testing';
import { anEnd, chatBench, everywhere } from '../../../testing/chat-bench.spec-setup.ts';
import { ModelFailure, type ModelClient } from '../../../assistants/models/index.ts';
import { aViewer } from '../../../testing/viewer.spec-setup.ts';
import { fallBack } from './fall-back.ts';
import { whole, workersOf } from './worker-bench.spec-setup.ts';

const bench = await chatBench();
beforeAll(bench.ready);
const { aWorker, workers } = workersOf(bench);
afterAll(() => Promise.all(workers.map((worker) => worker.stop())));
const parts = {
  platform: { logger: silentLogger() } as unknown as Platform,
  prepare: bench.prepare,
  finish: bench.finishing,
};
const failed = anEnd({ status: 'failed', text: '', failure: 'provider-error', firstTokenAt: null });

/** A running answer on a model of its chatbot, with this fallback model. */
async function running(fallback: ModelKey | null) {
  const viewer = aViewer();
  const chatbotId = await bench.addChatbot(viewer, { fallback });
  const asked = await bench.ask(viewer, { chatbotId });
  const seen = await bench.find(viewer, asked);
  const until = new Date(bench.clock.now().getTime() + 60_000);
  const claim = { seen, lease: { holder: 'worker', until }, ended: null, now: bench.clock.now() };
  return { viewer, asked, held: (await bench.generations.claim(everywhere, claim))! };
}

describe('a model that fails before its first word', () => {
  test('continues the answer on the fallback model, as the next attempt under the same lease', async () => {
    const { viewer, asked, held } = await running(null);
    const named = {
      ...held,
      modelKey: 'prv_01M7Z6X0BT7J6QPJC5FQE3HR01/atlas' as ModelKey,
      fallback: 'builtin' as ModelKey,
    };
    const next = await fallBack(parts, named, failed);
    expect(next?.fellBackFrom).toEqual({ label: held.modelLabel, failure: 'provider-error' });
    expect(next).toMatchObject({ epoch: 2, handOvers: 1, modelKey: 'builtin', fallback: null, leaseHolder: 'worker' });
    expect(next?.attempts).toMatchObject([{ attempt: 1, outcome: 'failed', final: false }]);
    const told = (await bench.eventsOf(asked.conversation.id)).at(-1);
    expect(told).toMatchObject({
      type: 'generation.attempt-ended.v1',
      data: { attempt: 1, final: false, outcome: 'failed', model: named.modelKey },
    });
    expect(await fallBack(parts, next!, failed)).toBeNull();
    expect(await bench.finishing.finish(next!, anEnd())).not.toBeNull();
    const ended = await bench.find(viewer, asked);
    expect(ended).toMatchObject({ status: 'done', attempts: [{}, { attempt: 2 }] });
    expect(ended.fellBackFrom).toEqual(next?.fellBackFrom);
  });

  test('ends the answer if the chatbot has no fallback, or one that isn’t offered any more', async () => {
    const { held } = await running(null);
    expect(await fallBack(parts, held, failed)).toBeNull();
    const gone = { ...held, fallback: 'prv_01M7Z6X0BT7J6QPJC5FQE3HR01/atlas' as ModelKey };
    expect(await fallBack(parts, gone, failed)).toBeNull();
  });
});

test.each<GenerationFailure>([
  'provider-overloaded',
  'provider-rate-limited',
  'provider-stalled',
  'context-too-long',
  'images-refused',
  'model-missing',
])('%s leaves the answer to the other model, which says so', async (failure) => {
  const { held } = await running(null);
  const next = await fallBack(parts, { ...held, fallback: 'builtin' as ModelKey }, { ...failed, failure });
  expect(next).toMatchObject({ modelKey: 'builtin', fellBackFrom: { failure } });
});

test.each([
  ['after a word', anEnd({ ...failed, text: 'Half', firstTokenAt: new Date() })],
  ['when somebody stopped it', anEnd({ status: 'stopped', text: '' })],
  ['when the budget is spent', anEnd({ ...failed, failure: 'budget-spent' })],
])('no other model is asked %s', async (_when, end) => {
  const { held } = await running(null);
  expect(await fallBack(parts, { ...held, fallback: 'builtin' as ModelKey }, end)).toBeNull();
});

test('asks no fallback model if the worker lost the lease', async () => {
  const { held } = await running(null);
  const lost = { ...held, epoch: 7, fallback: 'builtin' as ModelKey };
  expect(await fallBack(parts, lost, failed)).toBeNull();
});

test('logs the fallback and its reason with the trace of the question, but not the server’s words', async () => {
  // Workers use the machine's time, so the bench must, too.
  bench.clock.advance(Date.now() - bench.clock.now().getTime());
  const viewer = aViewer();
  const origin = { correlationId: 'trace-of-the-question', traceparent: null, causationId: null };
  const asked = await callContext.run(origin, () => bench.ask(viewer));
  const generationId = asked.answer.generation!.id;
  const named = { $set: { fallback: 'builtin' } };
  await bench.mongo.connection.collection('generations').updateOne({ _id: generationId as never }, named);
  const lines: string[] = [];
  const logger = createLogger({ name: 'test', destination: { write: (line) => void lines.push(line) } });
  let calls = 0;
  const failing: ModelClient['answer'] = async (request, onPart) => {
    calls += 1;
    if (calls === 1) throw new ModelFailure('provider-overloaded', 'It quotes the question.');
    await whole(request, onPart);
  };
  void aWorker(failing, 5, { logger }).lookForQuestions();
  await eventually(async () => (await bench.find(viewer, asked)).status === 'done', 'the answer is done');
  const told = lines.map((line) => JSON.parse(line)).filter(({ msg }) => msg === 'an answer is asked of the fallback');
  expect(told).toMatchObject([
    { generationId, epoch: 2, failure: 'provider-overloaded', traceId: 'trace-of-the-question' },
  ]);
  expect(lines.join('')).not.toContain('It quotes the question.');
});
