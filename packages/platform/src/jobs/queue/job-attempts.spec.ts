import { describe, expect, test } from '@jest/globals';
import { Module } from '@nestjs/common';
import { NestFactory } from '@nestjs/core';
import { eventually } from '@parley/testing';
import { JobLost, Jobs, type JobRun } from './index.ts';
import { aJob, acting, here, jobsBench, oneByOne, paint, stuck } from './jobs.spec-setup.ts';

const { aProcess, clock, left, outbox, queue, rows, work } = await jobsBench();

describe('a failing attempt', () => {
  test('a failing attempt is followed by the next after its pause, and the last one parks the job', async () => {
    let runs = 0;
    const jobs = await aProcess(() => {
      runs += 1;
      throw new TypeError('what somebody wrote');
    });
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
    expect(await left()).toEqual(['paint/red parked']);
    expect(await rows.findOne({})).toMatchObject({ cause: 'TypeError', holder: null });
    expect(JSON.stringify(await rows.findOne({}))).not.toContain('somebody');
  });

  test('a job that is queued again during its last attempt isn’t parked when the attempt fails', async () => {
    let runs = 0;
    const last = { ...paint, attempts: 1 };
    await aProcess(
      async () => {
        runs += 1;
        if (runs > 1) return;
        await queue(aJob('red'));
        throw new Error('broken');
      },
      { definition: last },
    );
    await queue(aJob('red'));
    await eventually(async () => (await left()).length === 0, 'the job has ended');
    expect(runs).toBe(2);
  });

  test('parks a job whose input no version understands', async () => {
    await queue(aJob('red'));
    await rows.update({ _id: 'paint/red' }, { $set: { input: { colour: 'red' } } });
    const jobs = await aProcess(() => Promise.resolve());
    await jobs.look();
    await jobs.settled();
    expect(await rows.findOne({})).toMatchObject({ state: 'parked', cause: 'ZodError' });
  });

  test('ends a job if its feature stores that the attempts are used up', async () => {
    let givenUp = 0;
    const jobs = await aProcess(() => Promise.reject(new Error('broken')), {
      definition: { ...paint, attempts: 1 },
      giveUp: () => (givenUp += 1),
    });
    await queue(aJob('red'));
    await eventually(async () => (await left()).length === 0, 'the job has ended');
    await jobs.settled();
    expect(givenUp).toBe(1);
  });

  test('runs a parked job again on request', async () => {
    let isBroken = true;
    const jobs = await aProcess(() => (isBroken ? Promise.reject(new Error('broken')) : Promise.resolve()), {
      definition: { ...paint, attempts: 1 },
    });
    await queue(aJob('red'));
    await eventually(async () => (await left())[0] === 'paint/red parked', 'the job is parked');
    expect(await outbox.jobs.rows.countOf('paint')).toEqual({ ready: 0, running: 0, parked: 1 });
    isBroken = false;
    expect(await outbox.jobs.runAgain({ kind: 'paint', orgId: here }, 10)).toBe(1);
    await eventually(async () => (await left()).length === 0, 'its ring has begun it, without a sweep');
    await jobs.settled();
    expect(await outbox.jobs.runAgain({ kind: 'paint', orgId: here }, 10)).toBe(0);
  });

  test('a job that progresses has all its attempts again', async () => {
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
  test('takes a job over after its lease, and the first worker can then write nothing more', async () => {
    let first: JobRun | undefined;
    await aProcess(
      (given, run) => {
        first ??= run;
        return stuck(given, run);
      },
      { definition: oneByOne },
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

  test('parks a job whose worker died in each attempt', async () => {
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

  test('a process that runs alone begins the jobs of its dead predecessor immediately', async () => {
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

  test('a shutdown gives jobs back, and their attempts don’t count', async () => {
    const jobs = await aProcess(stuck);
    await queue(aJob('red'));
    await eventually(async () => (await left())[0] === 'paint/red running', 'the job runs');
    await jobs.beforeApplicationShutdown();
    expect(await rows.findOne({})).toMatchObject({ state: 'ready', attempts: 0, holder: null });
  });

  test('a shutdown gives jobs back before it closes the stores that they use', async () => {
    const order: string[] = [];
    const jobs = await aProcess((given, run) => stuck(given, run).finally(() => order.push('given back')));
    class Client {
      onApplicationShutdown(): void {
        order.push('closed');
      }
    }
    class Root {}
    const runs = { module: class Ports {}, global: true, providers: [{ provide: Jobs, useFactory: () => jobs }] };
    Module({ imports: [runs], providers: [Client] })(Root);
    const app = await NestFactory.createApplicationContext(Root, { logger: false });
    await queue(aJob('red'));
    await eventually(async () => (await left())[0] === 'paint/red running', 'the job runs');
    await app.close();
    expect(order).toEqual(['given back', 'closed']);
  });

  test('a running job that is cancelled loses its lease', async () => {
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
