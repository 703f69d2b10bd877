import { afterEach, describe, expect, test } from '@jest/globals';
import { runningLimits } from '@parley/contracts';
import { Counts } from '@parley/platform/counts';
import { MemoryDoorbell } from '@parley/platform/doorbell';
import { newId } from '@parley/platform/ids';
import { MemoryKv } from '@parley/platform/kv';
import { eventually } from '@parley/testing';
import type { Generation } from '../rows/generation.collection.ts';
import { AnswerLimits } from './answer-limits.ts';
import type { Answerer } from './answerers.ts';
import { FirstWords } from '../../titles/index.ts';
import { GenerationQueue, questionsWaiting, type SlotWish } from './generation-queue.ts';
import { HeadStart } from './head-start.ts';
import type { PreparedAnswer } from './prepare-answer.ts';

const lease = { holder: 'worker', until: new Date() };
const prepared = { path: [] } as unknown as PreparedAnswer;
const isMade = new Error('made');
const unhandled: unknown[] = [];
const keep = (reason: unknown) => unhandled.push(reason);
process.on('unhandledRejection', keep);
afterEach(() => expect(unhandled).toEqual([]));

/** A head start in a process with this many free slots, and the calls to its worker and its doorbell. */
function headStart(slots: number) {
  const doorbell = new MemoryDoorbell();
  const counts = new Counts(new MemoryKv());
  const limits = new AnswerLimits(counts);
  const queue = new GenerationQueue(doorbell, limits, new FirstWords());
  const told = { written: [] as unknown[], free: slots, rings: 0, prepared: 0, wishes: [] as SlotWish[] };
  const stop = doorbell.on(questionsWaiting, () => (told.rings += 1));
  queue.addWorker((wish) => {
    if (told.free === 0) return null;
    told.free -= 1;
    told.wishes.push(wish);
    return {
      lease,
      write: (stored, preparing) => {
        const keep = (found: unknown) => void told.written.push([stored._id, found]);
        preparing.then(keep, keep);
      },
      takeOver: () => undefined,
      release: () => void (told.free += 1),
    };
  });
  const asked = { orgId: newId('organisation'), userId: newId('user'), generationId: newId('generation') };
  const start = new HeadStart(queue, asked);
  const stored = { _id: asked.generationId } as Generation;
  const read = async () => {
    told.prepared += 1;
    return prepared;
  };
  return { start, asked, stored, told, read, limits, stop };
}

describe('with a free slot', () => {
  test('reads what the answer needs before it is stored, and passes it to the worker of the slot', async () => {
    const { start, asked, stored, told, read, stop } = headStart(1);
    expect(start.lease).toBe(lease);
    expect(told.wishes).toMatchObject([{ orgId: asked.orgId, userId: asked.userId }]);
    start.prepare(read);
    expect(told.prepared).toBe(1);
    expect(start.handOver(stored)).toBe(true);
    await eventually(() => told.written.length === 1, 'the worker has the answer');
    expect(told).toMatchObject({ written: [[stored._id, prepared]], free: 0, rings: 0 });
    stop();
  });

  test('a refused question gives the slot back, and rejects for readers that wait for the sequence', async () => {
    const { start, told, read, stop } = headStart(1);
    start.prepare(async () => {
      await start.before;
      return read();
    });
    start.release(isMade);
    await expect(start.before).rejects.toBe(isMade);
    expect(told).toMatchObject({ written: [], free: 1, prepared: 0 });
    stop();
  });

  test('an error while reading fails the answer if its question is stored', async () => {
    const { start, stored, told, stop } = headStart(1);
    start.prepare(() => Promise.reject(isMade));
    await new Promise(setImmediate);
    expect(start.handOver(stored)).toBe(true);
    await eventually(() => told.written.length === 1, 'the worker has the answer');
    expect(told.written).toEqual([[stored._id, isMade]]);
    stop();
  });

  test('an error while reading is ignored if the question is refused', async () => {
    const { start, told, stop } = headStart(1);
    const isRefused = new Error('refused');
    start.prepare(() => Promise.reject(isMade));
    start.release(isRefused);
    await new Promise(setImmediate);
    await expect(start.before).rejects.toBe(isRefused);
    expect([told.free, told.written, unhandled]).toEqual([1, [], []]);
    stop();
  });
});

describe('without a free slot', () => {
  test('reads nothing in this process, and rings the other workers', async () => {
    const { start, stored, told, read, stop } = headStart(0);
    expect(start.lease).toBeNull();
    start.prepare(read);
    expect(start.handOver(stored)).toBe(false);
    await eventually(() => told.rings === 1, 'the doorbell is rung');
    expect(told).toMatchObject({ written: [], prepared: 0 });
    stop();
  });

  test('a refused question has no slot to give back', async () => {
    const { start, told, stop } = headStart(0);
    start.release(isMade);
    await expect(start.before).rejects.toBe(isMade);
    expect(told).toMatchObject({ free: 0, rings: 0 });
    stop();
  });
});

describe('the choice of chatbot and model', () => {
  const answerer = { model: { key: 'prv_1/atlas' } } as Answerer;

  test('resolves with the answerer and the use of the question’s files on its model', async () => {
    const { start, stop } = headStart(1);
    const asked: unknown[] = [];
    const chosen = start.choose(Promise.resolve(answerer), async (model) => {
      asked.push(model);
      return [];
    });
    expect(await chosen.answerer).toBe(answerer);
    expect(await chosen.files).toEqual([]);
    expect(asked).toEqual([answerer.model]);
    expect(start.choose(Promise.resolve(answerer)).files).toBeUndefined();
    stop();
  });

  test('rejects where the choice is awaited, and nowhere else', async () => {
    const { start, stop } = headStart(0);
    const chosen = start.choose(Promise.reject(isMade), async () => []);
    await new Promise(setImmediate);
    await expect(chosen.answerer).rejects.toBe(isMade);
    await expect(chosen.files).rejects.toBe(isMade);
    const ofFiles = start.choose(Promise.resolve(answerer), () => Promise.reject(isMade));
    await new Promise(setImmediate);
    await expect(ofFiles.files).rejects.toBe(isMade);
    stop();
  });
});

test('replies only after the request to the model has left, in a later turn of the event loop', async () => {
  const { start, stored, told, read, stop } = headStart(1);
  start.prepare(read);
  const order: string[] = [];
  const handing = start.handOverFirst(stored).then(() => order.push('reply'));
  for (let turns = 0; turns < 20; turns += 1) await Promise.resolve();
  order.push('request');
  await handing;
  expect(order).toEqual(['request', 'reply']);
  expect(told.written).toEqual([[stored._id, prepared]]);
  stop();
});

test('the sequence resolves in the next turn, so that the transaction’s writes leave first', async () => {
  const { start, stop } = headStart(1);
  const order: string[] = [];
  void start.before.then(({ sequence }) => order.push(`told ${sequence}`));
  start.begin({ sequence: 7, leaf: null, projectId: null });
  for (let turns = 0; turns < 20; turns += 1) await Promise.resolve();
  order.push('written');
  await new Promise(setImmediate);
  await start.before;
  expect(order).toEqual(['written', 'told 7']);
  stop();
});

test('undoes the count of a failed transaction, unless the same id was counted before', async () => {
  const { start, asked, limits, stop } = headStart(1);
  const { generationId, orgId, userId } = asked;
  const begin = (_id = newId('generation')) => limits.begin({ _id, orgId, userId });
  await begin(generationId);
  for (let more = 1; more < runningLimits.answers.person; more += 1) await begin();
  const full = { code: 'platform.rate-limited' };
  start.uncount(Object.assign(new Error('made before'), { code: 11_000 }));
  await expect(begin()).rejects.toMatchObject(full);
  start.uncount(isMade);
  await begin();
  await expect(begin()).rejects.toMatchObject(full);
  stop();
});
