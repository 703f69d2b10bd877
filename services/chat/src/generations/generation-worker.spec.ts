import { afterEach, beforeAll, expect, test } from '@jest/globals';
import type { Accepted, Revocation } from '@parley/contracts';
import { MemoryLiveStream } from '@parley/platform/live-stream';
import type { Platform } from '@parley/platform/service';
import { eventually, silentLogger } from '@parley/testing';
import { setTimeout as wait } from 'node:timers/promises';
import type { ChatSettings } from '../chat.config.ts';
import type { Viewer } from '../conversations/index.ts';
import type { ModelClient } from '../models/index.ts';
import { aViewer } from '../viewer.spec-setup.ts';
import { GenerationWorker } from './generation-worker.ts';
import { chatBench } from '../chat-bench.spec-setup.ts';
import type { PrepareAnswer } from './prepare-answer.ts';

const bench = await chatBench();
beforeAll(async () => {
  // Workers go by the time of the machine.
  bench.clock.advance(Date.now() - bench.clock.now().getTime());
  await bench.ready();
});
const workers: GenerationWorker[] = [];
afterEach(() => Promise.all(workers.splice(0).map((worker) => worker.stop())));

const whole: ModelClient['answer'] = async (_request, onPart) => onPart({ kind: 'text', text: 'Whole.' });
const hanging: ModelClient['answer'] = async ({ signal }, onPart) => {
  onPart({ kind: 'text', text: 'Half' });
  await wait(20_000, undefined, { signal });
};

/** A worker whose model answers like that. */
function aWorker(answer: ModelClient['answer'], slots = 5): GenerationWorker {
  const prepared = { client: { answer }, turns: [], passages: [], citations: [], documentCount: 0 };
  const worker = new GenerationWorker(
    {
      platform: {
        isAlone: false,
        liveStream: new MemoryLiveStream(),
        logger: silentLogger(),
        failpoint: () => Promise.resolve(),
      } as unknown as Platform,
      mongo: bench.mongo,
      settings: { workerSlots: slots, stallMs: 60_000 } as ChatSettings,
      generations: bench.generations,
      finish: bench.finishing,
      prepare: { prepare: () => Promise.resolve(prepared) } as unknown as PrepareAnswer,
    },
    'process',
    workers.length,
  );
  workers.push(worker);
  return worker;
}
const untilIs = (viewer: Viewer, asked: Accepted, status: string) =>
  eventually(async () => (await bench.find(viewer, asked)).status === status, `the answer is ${status}`);
const untilBusy = (worker: GenerationWorker, count: number) =>
  eventually(async () => worker.activeCount === count, `${count} answers are being written`);

test('a question that waits is answered by one of the workers that see it', async () => {
  const viewer = aViewer();
  const asked = await bench.ask(viewer);
  const both = [aWorker(whole), aWorker(whole)];
  for (const worker of both) worker.lookForQuestions();
  await untilIs(viewer, asked, 'done');
  expect(await bench.find(viewer, asked)).toMatchObject({ text: 'Whole.', epoch: 1 });
});

test('a worker writes no more answers at once than it has places', async () => {
  const viewer = aViewer();
  for (const _ of [1, 2, 3]) await bench.ask(viewer);
  const worker = aWorker(hanging, 2);
  const slot = worker.reserve();
  worker.lookForQuestions();
  await untilBusy(worker, 1);
  expect(worker.reserve()).toBeNull();
  slot?.release();
  expect(worker.reserve()).not.toBeNull();
  worker.lookForQuestions();
  await wait(100);
  expect(worker.activeCount).toBe(1);
});

test('a worker that ends in order gives its answer back with its text, and the next one goes on', async () => {
  const viewer = aViewer();
  const asked = await bench.ask(viewer);
  const first = aWorker(hanging, 50);
  first.lookForQuestions();
  await eventually(async () => (await bench.find(viewer, asked)).status === 'running', 'it runs');
  await eventually(async () => first.activeCount > 0, 'it is written');
  await wait(20);
  await first.stop();
  expect(await bench.find(viewer, asked)).toMatchObject({ status: 'running', leaseHolder: null, text: 'Half' });
  aWorker(whole, 50).lookForQuestions();
  await untilIs(viewer, asked, 'done');
  expect(await bench.find(viewer, asked)).toMatchObject({ epoch: 2, handOvers: 1, text: 'Whole.' });
});

test.each<[string, (viewer: Viewer) => Pick<Revocation, 'kind' | 'subject'>]>([
  ['the person', ({ principal }) => ({ kind: 'user', subject: principal.userId })],
  ['the membership', ({ scope, principal }) => ({ kind: 'membership', subject: `${scope.orgId}/${principal.userId}` })],
  ['the organisation', ({ scope }) => ({ kind: 'organisation', subject: scope.orgId })],
])('revoking %s stops its answers and no others', async (_whose, revoked) => {
  const [viewer, other] = [aViewer(), aViewer()];
  const [asked, theirs] = [await bench.ask(viewer), await bench.ask(other)];
  const worker = aWorker(hanging, 50);
  worker.lookForQuestions();
  for (const [who, of] of [
    [viewer, asked],
    [other, theirs],
  ] as const)
    await untilIs(who, of, 'running');
  await wait(50);
  worker.applyRevocation({ sequence: 1, rightsVersion: null, ...revoked(viewer) });
  await untilIs(viewer, asked, 'stopped');
  expect((await bench.find(other, theirs)).status).toBe('running');
});

test('a stop that is wanted ends that answer with the text so far', async () => {
  const viewer = aViewer();
  const asked = await bench.ask(viewer);
  const worker = aWorker(hanging, 50);
  worker.lookForQuestions();
  await untilIs(viewer, asked, 'running');
  await wait(50);
  await bench.generations.requestStop(viewer.scope, asked.answer.generation!.id);
  await worker.applyStops();
  await untilIs(viewer, asked, 'stopped');
  expect((await bench.find(viewer, asked)).text).toBe('Half');
});
