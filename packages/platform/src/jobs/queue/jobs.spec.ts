import { afterEach, beforeEach, describe, expect, test } from '@jest/globals';
import type { OrgId } from '@parley/protocol';
import { countCommands, eventually, silentLogger, testStore } from '@parley/testing';
import { z } from 'zod';
import { NoMetrics } from '../../base/telemetry/metrics.ts';
import { newId } from '../../base/ids/index.ts';

import { jobRows } from '../../rows/jobs/index.ts';
import { job } from '../../events/work/index.ts';
import { jobScope } from '../../rows/mongo/index.ts';
import { defineJob, goOn, JobLost, Jobs, type GoesOn, type JobRun } from './index.ts';

const store = await testStore();
const { mongo, outbox, work, clock, doorbell } = store;
const rows = mongo.rows(jobRows).within(jobScope('specs of jobs'));
await store.ready();

type Input = { name: string; orgId: OrgId; person: string };
const input = z.object({ name: z.string(), orgId: z.string(), person: z.string() }) as unknown as z.ZodType<Input>;
const base = {
  input,
  keyOf: ({ name }: Input) => name,
  ownerOf: ({ orgId, person }: Input) => ({ orgId, person }),
  slots: { all: 4 },
  leaseMs: 30_000,
  attempts: 3,
  pauseMs: (attempt: number) => attempt * 10_000,
};
const paint = defineJob('paint', base);
const one = defineJob('paint', { ...base, slots: { all: 1 }, sliceMs: 0 });

const acting = job('tests jobs');
const here = newId('organisation');
const there = newId('organisation');
const aJob = (name: string, orgId = here, person = 'p'): Input => ({ name, orgId, person });
const queue = (wanted: Input, at?: Date) => work.run(acting, async (tx) => tx.queue(paint, wanted, at ? { at } : {}));

let running: Jobs[];
beforeEach(async () => {
  running = [];
  await rows.deleteMany({});
});
afterEach(async () => {
  await Promise.all(running.map((jobs) => jobs.onApplicationShutdown()));
});

type Act = (input: Input, run: JobRun) => Promise<GoesOn | void>;
async function aProcess(
  act: Act,
  {
    definition = paint,
    isAlone = false,
    giveUp,
  }: { definition?: typeof paint; isAlone?: boolean; giveUp?: () => void } = {},
): Promise<Jobs> {
  const { jobs: queued, source: service } = outbox;
  const parts = { rows: queued.rows, clock, doorbell, service, logger: silentLogger(), metrics: new NoMetrics() };
  const jobs = new Jobs({ ...parts, isAlone, isWorking: true });
  jobs.register(definition, { run: act, giveUp: () => Promise.resolve(giveUp?.()) });
  await jobs.onApplicationBootstrap();
  running.push(jobs);
  return jobs;
}
const left = async () => (await rows.find({}, { sort: { _id: 1 } })).map(({ _id, state }) => `${_id} ${state}`);

describe('a job', () => {
  test('that a transaction queues runs after the commit, and then has no row', async () => {
    const done: string[] = [];
    await aProcess(({ name }) => Promise.resolve(void done.push(name)));
    await queue(aJob('red'));
    await eventually(async () => (await left()).length === 0, 'the job has ended');
    expect(done).toEqual(['red']);
  });

  test('is not there where its transaction failed', async () => {
    const failing = work.run(acting, async (tx) => {
      tx.queue(paint, aJob('red'));
      await Promise.resolve();
      throw new Error('rolled back');
    });
    await expect(failing).rejects.toThrow('rolled back');
    expect(await left()).toEqual([]);
  });

  test('that is queued twice is there once', async () => {
    await queue(aJob('red'));
    await queue(aJob('red'));
    expect(await left()).toEqual(['paint/red ready']);
  });

  test('that is queued while it runs, runs once more', async () => {
    let runs = 0;
    await aProcess(async () => {
      runs += 1;
      if (runs === 1) await queue(aJob('red'));
    });
    await queue(aJob('red'));
    await eventually(async () => (await left()).length === 0, 'the job has ended');
    expect(runs).toBe(2);
  });

  test('that is queued for a time waits until then', async () => {
    let runs = 0;
    const jobs = await aProcess(() => Promise.resolve(void (runs += 1)));
    await queue(aJob('red'), new Date(clock.now().getTime() + 60_000));
    await jobs.look();
    expect([runs, await left()]).toEqual([0, ['paint/red later']]);
    clock.advance(60_000);
    await jobs.look();
    await jobs.settled();
    expect([runs, await left()]).toEqual([1, []]);
  });

  test('of a flood leaves the next slot to another organisation, then to another person', async () => {
    const order: string[] = [];
    for (const name of ['f1', 'f2', 'f3', 'f4']) await queue(aJob(name));
    await queue(aJob('colleague', here, 'q'));
    await queue(aJob('other', there));
    const jobs = await aProcess(({ name }) => Promise.resolve(void order.push(name)), { definition: one });
    await jobs.look();
    await eventually(async () => (await left()).length === 0, 'all jobs have ended');
    expect(order).toHaveLength(6);
    expect(new Set(order.slice(0, 3))).toEqual(new Set(['f1', 'other', 'colleague']));
    expect(order.filter((name) => name.startsWith('f'))).toEqual(['f1', 'f2', 'f3', 'f4']);
  });

  test('leaves half of the slots to other organisations', async () => {
    let release = (): void => undefined;
    const released = new Promise<void>((resolve) => (release = resolve));
    const begun: string[] = [];
    const jobs = await aProcess(async ({ name }) => {
      begun.push(name);
      await released;
    });
    for (const name of ['1', '2', '3', '4']) await queue(aJob(name, here, name));
    await queue(aJob('other', there));
    await jobs.look();
    expect(begun.toSorted()).toEqual(['1', '2', 'other']);
    release();
    await eventually(async () => (await left()).length === 0, 'all jobs have ended');
  });

  test('makes room after its slice where others wait, and goes on in its turn', async () => {
    const order: string[] = [];
    const jobs = await aProcess(
      async ({ name }, run) => {
        order.push(name);
        if (order.length > 1) return undefined;
        await eventually(() => run.shouldMakeRoom, 'the other job waits');
        return goOn();
      },
      { definition: one },
    );
    await work.run(acting, async (tx) => {
      tx.queue(paint, aJob('long'));
      tx.queue(paint, aJob('short', there));
    });
    await jobs.look();
    await eventually(async () => (await left()).length === 0, 'all jobs have ended');
    expect(order).toEqual(['long', 'short', 'long']);
  });
});

describe('an attempt that fails', () => {
  test('is followed by the next after its pause, and the last one parks the job with its cause', async () => {
    let runs = 0;
    let givenUp = 0;
    const jobs = await aProcess(
      () => {
        runs += 1;
        throw new TypeError('what somebody wrote');
      },
      { giveUp: () => (givenUp += 1) },
    );
    await queue(aJob('red'));
    await eventually(() => runs === 1, 'the first attempt has run');
    await jobs.settled();
    for (const [ms, count] of [
      [9_999, 1],
      [1, 2],
      [19_999, 2],
      [1, 3],
    ] as const) {
      clock.advance(ms);
      await jobs.look();
      await jobs.settled();
      expect(runs).toBe(count);
    }
    expect([await left(), givenUp]).toEqual([['paint/red parked'], 1]);
    expect(await rows.findOne({})).toMatchObject({ cause: 'TypeError', holder: null });
    expect(JSON.stringify(await rows.findOne({}))).not.toContain('somebody');
  });

  test('and was parked runs anew when somebody asks for it', async () => {
    let isBroken = true;
    const jobs = await aProcess(() => (isBroken ? Promise.reject(new Error('broken')) : Promise.resolve()), {
      definition: { ...paint, attempts: 1 },
    });
    await queue(aJob('red'));
    await eventually(async () => (await left())[0] === 'paint/red parked', 'the job is parked');
    expect(await outbox.jobs.rows.countOf('paint')).toEqual({ ready: 0, running: 0, parked: 1 });
    isBroken = false;
    expect(await outbox.jobs.rows.runAgain('paint/red', clock.now())).toBe(true);
    expect(await outbox.jobs.rows.runAgain('paint/red', clock.now())).toBe(false);
    await jobs.look();
    await jobs.settled();
    expect(await left()).toEqual([]);
  });

  test('counts anew after the job got further', async () => {
    let runs = 0;
    const jobs = await aProcess(async (_input, run) => {
      runs += 1;
      run.progressed();
      await run.renew();
      throw new Error('broken');
    });
    await queue(aJob('red'));
    for (let times = 0; times < 5; times += 1) {
      await jobs.look();
      await jobs.settled();
      clock.advance(10_000);
    }
    expect(runs).toBeGreaterThan(paint.attempts);
    expect(await left()).toEqual(['paint/red later']);
  });
});

describe('a job whose worker is gone', () => {
  const stuck: Act = (_input, run) =>
    new Promise((_resolve, reject) => run.signal.addEventListener('abort', () => reject(run.signal.reason as Error)));

  test('is taken over after its lease, and what the first worker still wants to write is refused', async () => {
    let first: JobRun | undefined;
    await aProcess(
      (given, run) => {
        first ??= run;
        return stuck(given, run);
      },
      { definition: one },
    );
    await queue(aJob('red'));
    await eventually(() => first !== undefined, 'the job runs');
    let seconds = 0;
    const second = await aProcess(() => Promise.resolve(void (seconds += 1)));
    await second.look();
    expect(seconds).toBe(0);
    clock.advance(30_000);
    await second.look();
    await second.settled();
    expect([seconds, await left()]).toEqual([1, []]);
    const late = work.run(acting, async (tx) => {
      tx.queue(paint, aJob('never'));
      await first!.hold(tx);
    });
    await expect(late).rejects.toThrow(JobLost);
    expect(await left()).toEqual([]);
    expect(first!.signal.aborted).toBe(true);
  });

  test('is parked where each worker died', async () => {
    await queue(aJob('red'));
    const { rows: all } = outbox.jobs;
    for (let died = 0; died < paint.attempts; died += 1) {
      const [waiting] = await rows.find({});
      await all.claim(waiting!, { holder: `dead ${died}`, until: new Date(clock.now().getTime() + 30_000) });
      clock.advance(30_000);
      await all.wakeDue(clock.now());
    }
    const jobs = await aProcess(() => Promise.reject(new Error('not run')));
    await jobs.look();
    await jobs.settled();
    expect(await rows.find({})).toEqual([expect.objectContaining({ state: 'parked', cause: 'interrupted' })]);
  });

  test('is begun at once by a process that is alone', async () => {
    await queue(aJob('red'));
    const [waiting] = await rows.find({});
    const until = new Date(clock.now().getTime() + 30_000);
    await outbox.jobs.rows.claim(waiting!, { holder: 'dead', until });
    let runs = 0;
    const jobs = await aProcess(() => Promise.resolve(void (runs += 1)), { isAlone: true });
    await jobs.look();
    await jobs.settled();
    expect([runs, await left()]).toEqual([1, []]);
  });

  test('goes on in the next process after a shutdown, which counts as no attempt', async () => {
    const jobs = await aProcess(stuck);
    await queue(aJob('red'));
    await eventually(async () => (await left())[0] === 'paint/red running', 'the job runs');
    await jobs.onApplicationShutdown();
    expect(await rows.findOne({})).toMatchObject({ state: 'ready', attempts: 0, holder: null });
  });

  test('is gone when it was cancelled, and its attempt notices', async () => {
    let first: JobRun | undefined;
    const jobs = await aProcess((given, run) => {
      first = run;
      return stuck(given, run);
    });
    await queue(aJob('red'));
    await eventually(() => first !== undefined, 'the job runs');
    await work.run(acting, async (tx) => tx.cancel(paint, 'red'));
    expect(await left()).toEqual([]);
    await first!.renew();
    await jobs.settled();
    expect(await left()).toEqual([]);
  });
});

test('progress of jobs is read by their keys while they run', async () => {
  const jobs = await aProcess(
    async (_input, run) => {
      run.report({ done: 3, of: 8 });
      await run.renew();
      return goOn();
    },
    { definition: { ...paint, slots: { all: 1 } } },
  );
  await queue(aJob('red'));
  await eventually(async () => (await outbox.jobs.rows.progressOf(paint, ['red'])).size > 0, 'progress is stored');
  expect(await outbox.jobs.rows.progressOf(paint, ['red', 'blue'])).toEqual(new Map([['red', { done: 3, of: 8 }]]));
  await work.run(acting, async (tx) => tx.cancel(paint, 'red'));
  await jobs.settled();
});

test('a look at an empty queue takes two commands, and one for each kind', async () => {
  const jobs = await aProcess(() => Promise.resolve());
  await jobs.look();
  expect(await countCommands(() => jobs.look(), ['jobs'])).toBe(3);
});

test('a name, a lease or an input that does not fit is refused when it is declared or queued', async () => {
  expect(() => defineJob('Paint it', base)).toThrow('no name of a job');
  expect(() => defineJob('paint', { ...base, leaseMs: 1_000 })).toThrow('shorter');
  await expect(queue({ name: 'red' } as Input)).rejects.toThrow();
  expect(await left()).toEqual([]);
});
