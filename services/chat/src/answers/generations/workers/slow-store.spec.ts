import { afterEach, beforeAll, expect, test } from '@jest/globals';
import { liveStreamOf, type Accepted } from '@parley/contracts';
import { MemoryKv } from '@parley/platform/kv';
import { MemoryLiveStream } from '@parley/platform/live-stream';
import type { Mongo } from '@parley/platform/mongo';
import { eventually } from '@parley/testing';
import mongoose from 'mongoose';
import { setTimeout as wait } from 'node:timers/promises';
import { chatBench, everywhere } from '../../../testing/chat-bench.spec-setup.ts';
import type { Viewer } from '../../../conversations/index.ts';
import type { ModelClient } from '../../../assistants/models/index.ts';
import { aViewer } from '../../../testing/viewer.spec-setup.ts';
import type { FinishAnswer } from '../writing/finish-answer.ts';
import type { Generation } from '../rows/generation.collection.ts';
import { holderOf, SignsOfLife } from './signs-of-life.ts';
import { hanging, whole, workersOf } from './worker-bench.spec-setup.ts';

const bench = await chatBench();
beforeAll(async () => {
  // Workers use the machine's time, so the bench must, too.
  bench.clock.advance(Date.now() - bench.clock.now().getTime());
  await bench.ready();
});
const { aWorker: aWorkerOf, workers, endAll } = workersOf(bench);
/** The store has been reachable for a while, so ended leases really have ended. */
const mongo = { reachedForMs: 60_000 } as Mongo;
const aWorker: typeof aWorkerOf = (answer, slots, more) => aWorkerOf(answer, slots, { mongo, ...more });
afterEach(async () => {
  await Promise.all(workers.splice(0).map((worker) => worker.stop()));
  await endAll();
});
const ended = new Date(Date.now() - 1_000);
const stalled = new mongoose.mongo.MongoNetworkError('It does not answer.');
/** The monotonic time of this process's workers: five looks make five seconds. */
let ms = 0;
const signsOf = (kv: MemoryKv, processMark: string) => new SignsOfLife({ kv, processMark, now: () => ms });

/** An answer with this checkpoint, held under a lease that has ended. */
async function lateAnswer(viewer: Viewer, text = ''): Promise<{ asked: Accepted; held: Generation }> {
  const asked = await bench.ask(viewer);
  const lease = { holder: holderOf('other', 0), until: ended };
  const seen = await bench.find(viewer, asked);
  const held = (await bench.generations.claim(everywhere, { seen, lease, ended: null, now: new Date() }))!;
  const kept = { id: held._id, epoch: 1, text, textEpoch: 1, citations: [], firstTokenAt: null };
  await bench.generations.keep(everywhere, [kept]);
  return { asked, held };
}
/** Looks each second, like a worker; after enough looks, a process without a changing sign is dead. */
async function sweeps(
  worker: { lookForQuestions(): Promise<void> },
  count = 7,
  before = async () => {},
): Promise<void> {
  for (let sweep = 0; sweep < count; sweep += 1) {
    await before();
    await worker.lookForQuestions();
    ms += 1_000;
  }
}

test('leaves an answer with a late lease to a process that gives signs of life, and takes it over without them', async () => {
  const viewer = aViewer();
  const kv = new MemoryKv();
  const { asked, held } = await lateAnswer(viewer);
  const other = signsOf(kv, 'other');
  other.add(() => ({ held: [held._id], isClaiming: false }));
  const worker = aWorker(whole, 5, { signs: signsOf(kv, 'mine') });
  await sweeps(worker, 12, () => other.beat());
  expect(worker.turns.count).toBe(0);
  expect(await bench.find(viewer, asked)).toMatchObject({ status: 'running', epoch: 1 });
  await sweeps(worker);
  await eventually(async () => (await bench.find(viewer, asked)).status === 'done', 'it is written again');
  expect(await bench.find(viewer, asked)).toMatchObject({ text: 'Whole.', epoch: 2, handOvers: 0 });
});

test('leaves a late lease alone while the store of signs is unavailable', async () => {
  const viewer = aViewer();
  const { asked } = await lateAnswer(viewer);
  const kv = Object.assign(new MemoryKv(), { get: () => Promise.reject(new Error('Away.')) });
  const worker = aWorker(whole, 5, { signs: signsOf(kv, 'mine') });
  await sweeps(worker, 12);
  expect(worker.turns.count).toBe(0);
  expect(await bench.find(viewer, asked)).toMatchObject({ status: 'running', epoch: 1 });
});

test('finds waiting questions behind late leases that stay with their workers', async () => {
  const viewer = aViewer();
  const kv = new MemoryKv();
  const living = [await lateAnswer(viewer), await lateAnswer(viewer), await lateAnswer(viewer)];
  const asker = aViewer();
  const left = await bench.ask(asker);
  const other = signsOf(kv, 'other');
  other.add(() => ({ held: living.map(({ held }) => held._id), isClaiming: false }));
  const worker = aWorker(whole, 2, { signs: signsOf(kv, 'mine') });
  await sweeps(worker, 4, () => other.beat());
  await eventually(async () => (await bench.find(asker, left)).status === 'done', 'it is answered');
});

test('shows text streamed beyond the last checkpoint until the next word, and keeps it if none comes', async () => {
  const viewer = aViewer();
  const live = new MemoryLiveStream();
  const { asked, held } = await lateAnswer(viewer, 'One ');
  live.append(liveStreamOf(held.conversationId, held._id), { epoch: 1, seq: 1, offset: 0, delta: 'One two three' });
  const silent: ModelClient['answer'] = ({ signal }) => wait(600_000, undefined, { signal });
  const worker = aWorker(silent, 5, { live, signs: signsOf(new MemoryKv(), 'mine') });
  await sweeps(worker);
  await eventually(async () => (await bench.find(viewer, asked)).epoch === 2, 'it is taken over');
  expect(await bench.find(viewer, asked)).toMatchObject({ text: 'One two three', textEpoch: 1 });
  await bench.generations.requestStop(viewer.scope, held._id);
  await worker.applyStops();
  await eventually(async () => (await bench.find(viewer, asked)).status === 'stopped', 'it is stopped');
  expect(await bench.find(viewer, asked)).toMatchObject({ text: 'One two three', usage: { outputTokens: 0 } });
});

test('an answer that two workers lost ends as interrupted with all of its streamed text', async () => {
  const viewer = aViewer();
  const live = new MemoryLiveStream();
  const { asked, held } = await lateAnswer(viewer, 'One ');
  const again = await bench.finishing.restart(held, { holder: holderOf('third', 0), until: ended });
  expect(again).toMatchObject({ epoch: 2 });
  live.append(liveStreamOf(held.conversationId, held._id), { epoch: 2, seq: 1, offset: 0, delta: 'One two three' });
  await sweeps(aWorker(whole, 5, { live, signs: signsOf(new MemoryKv(), 'mine') }));
  await eventually(async () => (await bench.find(viewer, asked)).status === 'interrupted', 'it is given up');
  expect(await bench.find(viewer, asked)).toMatchObject({ text: 'One two three', epoch: 2 });
});

test('renews leases while checkpoints hang, and stores the end with its text once the store answers', async () => {
  const viewer = aViewer();
  const asked = await bench.ask(viewer);
  let isStalled = true;
  const goesThrough = Promise.withResolvers<void>();
  const finish = Object.assign(Object.create(bench.finishing) as FinishAnswer, {
    finish: (...[held, end]: Parameters<FinishAnswer['finish']>) =>
      isStalled ? Promise.reject(stalled) : bench.finishing.finish(held, end),
  });
  const generations = Object.assign(Object.create(bench.generations) as typeof bench.generations, {
    keep: () => goesThrough.promise,
  });
  const worker = aWorker(whole, 5, { finish, generations });
  worker.start();
  await eventually(async () => (await bench.find(viewer, asked)).status === 'running', 'it runs');
  const { leaseUntil } = await bench.find(viewer, asked);
  await eventually(async () => (await bench.find(viewer, asked)).leaseUntil! > leaseUntil!, 'its lease is renewed');
  isStalled = false;
  goesThrough.resolve();
  await eventually(async () => (await bench.find(viewer, asked)).status === 'done', 'its end is stored');
  expect(await bench.find(viewer, asked)).toMatchObject({ text: 'Whole.', epoch: 1 });
});

test('prepares a question again while the store doesn’t answer', async () => {
  const viewer = aViewer();
  const asked = await bench.ask(viewer);
  let preparations = 0;
  const prepared = () => ((preparations += 1) === 1 ? Promise.reject(stalled) : Promise.resolve());
  await aWorker(whole, 5, { prepared }).lookForQuestions();
  await eventually(async () => (await bench.find(viewer, asked)).status === 'done', 'it is answered');
  expect([await bench.find(viewer, asked), preparations]).toMatchObject([{ text: 'Whole.', epoch: 1 }, 2]);
});

test('reports a running answer, or a claim under way, as a sign of life', async () => {
  const viewer = aViewer();
  const asked = await bench.ask(viewer);
  const kv = new MemoryKv();
  const signs = signsOf(kv, 'mine');
  const worker = aWorker(hanging, 5, { signs });
  const sign = async () => {
    await signs.beat();
    return JSON.parse((await kv.get('chat:alive:mine'))!) as object;
  };
  expect(await sign()).toMatchObject({ held: [], isClaiming: false });
  const slot = worker.reserve({ orgId: viewer.scope.orgId, userId: viewer.principal.userId });
  expect(await sign()).toMatchObject({ held: [], isClaiming: true });
  slot?.release();
  void worker.lookForQuestions();
  await eventually(async () => worker.activeCount === 1, 'it is being written');
  expect(await sign()).toMatchObject({ held: [asked.answer.generation!.id], isClaiming: false });
});
