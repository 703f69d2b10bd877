import { afterEach, beforeEach, describe, expect, jest, test } from '@jest/globals';
import { eventually, silentLogger, testStore, watchCommands } from '@parley/testing';
import { NoMetrics } from '../../base/telemetry/metrics.ts';
import { Outbox } from '../../events/outbox/index.ts';
import { Work } from '../../events/work/index.ts';
import { MemoryDoorbell } from '../../ports/doorbell/index.ts';
import { jobScope } from '../../rows/mongo/index.ts';
import { defineJob, jobRows, Jobs } from './index.ts';
import { aJob, acting, base } from './jobs.spec-setup.ts';

/** Loses rings that come while it is deaf. */
class DeafDoorbell extends MemoryDoorbell {
  isDeaf = false;

  override ring(name: string): void {
    if (!this.isDeaf) super.ring(name);
  }
}

const paint = defineJob('paint', base);
const varnish = defineJob('varnish', base);
const { mongo, clock, ready } = await testStore();
const doorbell = new DeafDoorbell();
const outbox = new Outbox({ mongo, doorbell, source: 'test', clock });
const work = new Work({ outbox });
await ready();

let jobs: Jobs;
let done: string[];
let watch: ReturnType<typeof watchCommands>;
const reads = (): number => watch.commands.filter(({ what }) => what === 'jobs.find').length;
/** One sweep reads scheduled jobs, running jobs, and the ready jobs of each of the two kinds. */
const readsOfSweep = 4;
/** Two reads find a job. Its queue is read twice after the job has begun, and once after it has ended. */
const readsOfJob = 5;
/** The transaction that queues a job reads whether the job waits already. */
const readsOfQueue = 1;
const sweepMs = 30_000;

const queue = (name: string, at?: Date) =>
  work.run(acting, async (tx) => tx.queue(paint, aJob(name), at ? { at } : {}));
const pass = async (ms: number): Promise<void> => {
  clock.advance(ms);
  await jest.advanceTimersByTimeAsync(ms);
};
/** Waits for running reads and forgets them, so that the reads counted later have another reason. */
const rest = async (): Promise<void> => {
  await jobs.look();
  await jobs.settled();
  await jobs.look();
  watch.commands.length = 0;
};

beforeEach(async () => {
  // Only the test moves the time between two sweeps; the connection to the store keeps real time.
  jest.useFakeTimers({ doNotFake: ['Date', 'nextTick', 'setImmediate', 'clearImmediate', 'queueMicrotask', 'hrtime'] });
  await mongo.rows(jobRows).within(jobScope('specs of jobs')).deleteMany({});
  done = [];
  doorbell.isDeaf = false;
  const parts = { rows: outbox.jobs.rows, clock, doorbell, service: outbox.source, logger: silentLogger() };
  jobs = new Jobs({ ...parts, metrics: new NoMetrics(), isAlone: false, isWorking: true });
  for (const kind of [paint, varnish])
    jobs.register(kind, { run: ({ name }) => Promise.resolve(void done.push(name)) });
  watch = watchCommands();
  await jobs.onApplicationBootstrap();
  await eventually(() => reads() === readsOfSweep, 'the first sweep has read');
  await rest();
});
afterEach(async () => {
  watch.stop();
  await jobs.beforeApplicationShutdown();
  jest.useRealTimers();
});

describe('a process that runs jobs', () => {
  test('reads no jobs between two sweeps, and in a sweep reads once for each kind', async () => {
    await pass(sweepMs - 1);
    expect(reads()).toBe(0);
    await pass(1);
    await eventually(() => reads() === readsOfSweep, 'the sweep has read');
    await pass(sweepMs - 1);
    expect(reads()).toBe(readsOfSweep);
  });

  test('reads only the kind that a ring names, and runs its job without time passing', async () => {
    await queue('red');
    await eventually(() => done.length === 1, 'the job has run');
    await jobs.settled();
    expect(reads()).toBeLessThanOrEqual(readsOfQueue + readsOfJob);
  });

  test('runs a job whose ring was never sent at the next sweep, and no sooner', async () => {
    doorbell.isDeaf = true;
    await queue('red');
    await pass(sweepMs - 1);
    expect([done, reads()]).toEqual([[], readsOfQueue]);
    await pass(1);
    await eventually(() => done.length === 1, 'the sweep has found the job');
    await jobs.settled();
    expect(reads()).toBeLessThanOrEqual(readsOfQueue + readsOfSweep + readsOfJob);
  });

  test('runs a scheduled job whose ring was never sent at most one sweep late', async () => {
    doorbell.isDeaf = true;
    await queue('red', new Date(clock.now().getTime() + 1_000));
    await pass(sweepMs);
    await eventually(() => done.length === 1, 'the sweep has found the job');
  });
});
