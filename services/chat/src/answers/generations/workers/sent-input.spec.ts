import { afterAll, beforeAll, expect, jest, test } from '@jest/globals';
import { eventually } from '@parley/testing';
import { chatBench, everywhere } from '../../../testing/chat-bench.spec-setup.ts';
import { aViewer } from '../../../testing/viewer.spec-setup.ts';
import type { PreparedAnswer } from '../asking/prepare-answer.ts';
import { hanging, workersOf } from './worker-bench.spec-setup.ts';

const bench = await chatBench();
beforeAll(bench.ready);
const { aWorker, workers } = workersOf(bench);
afterAll(() => Promise.all(workers.map((worker) => worker.stop())));
const lease = { holder: 'one', until: new Date(Date.now() + 60_000) };
const upstream = { host: 'api.example.com', model: 'gpt' };

/** Asks a question, and lets a worker without checkpoints answer it with this model. */
async function askedOf(answer: typeof hanging) {
  const owner = aViewer();
  const asked = await bench.ask(owner);
  const find = () => bench.find(owner, asked);
  const claim = { seen: await find(), lease, ended: null, now: new Date() };
  const claimed = await bench.generations.claim(everywhere, claim);
  const request = { path: [{ role: 'person', text: '12345678' }], instructions: '', passages: [], citations: [] };
  const wishes = { maxOutputTokens: null, stops: [], isBounded: false };
  const prepared = { client: { answer }, ...request, ...wishes } as unknown as PreparedAnswer;
  aWorker(answer)
    .reserve(claimed!)!
    .write({ ...claimed!, upstream }, Promise.resolve(prepared));
  return { asked, find };
}

test('bills the input of an attempt that is lost before its first checkpoint', async () => {
  const { asked, find } = await askedOf(hanging);
  await eventually(async () => (await find()).sent !== undefined, 'the input is kept');
  const seen = await find();
  expect(seen.sent!.inputTokens).toBeGreaterThan(0);
  await bench.finishing.restart(seen, lease);
  const told = (await bench.eventsOf(asked.conversation.id)).filter(
    ({ type }) => type === 'generation.attempt-ended.v1',
  );
  expect(told).toMatchObject([{ data: { inputTokens: seen.sent!.inputTokens } }]);
});

test('stores the input of an attempt when the model is asked', async () => {
  const keepSent = jest.spyOn(bench.generations, 'keepSent');
  const asked = Promise.withResolvers<number>();
  await askedOf((request, onPart) => {
    asked.resolve(keepSent.mock.calls.length);
    return hanging(request, onPart);
  });
  expect(await asked.promise).toBe(1);
  keepSent.mockRestore();
});
