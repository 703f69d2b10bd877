import { describe, expect, test } from '@jest/globals';
import { countCommands, eventually } from '@parley/testing';
import { jobScope } from '../../rows/mongo/index.ts';
import { defineJob, goOn, jobRows } from './index.ts';
import { aJob, acting, base, here, jobsBench, oneByOne, paint, there, type Input } from './jobs.spec-setup.ts';

const { aProcess, clock, left, mongo, outbox, queue, work } = await jobsBench();

describe('a job', () => {
  test('the job of a transaction runs after the commit, and then has no row', async () => {
    const done: string[] = [];
    await aProcess(({ name }) => Promise.resolve(void done.push(name)));
    await queue(aJob('red'));
    await eventually(async () => (await left()).length === 0, 'the job has ended');
    expect(done).toEqual(['red']);
  });

  test('a transaction that fails queues nothing', async () => {
    const failing = work.run(acting, async (tx) => {
      tx.queue(paint, aJob('red'));
      await Promise.resolve();
      throw new Error('rolled back');
    });
    await expect(failing).rejects.toThrow('rolled back');
    expect(await left()).toEqual([]);
  });

  test('two requests for the same key queue one job', async () => {
    await queue(aJob('red'));
    await queue(aJob('red'));
    expect(await left()).toEqual(['paint/red ready']);
  });

  test('queues a hundred jobs of a transaction in a few commands, each once', async () => {
    await queue(aJob('red'));
    const names = Array.from({ length: 100 }, (_unused, at) => `shade-${at}`);
    const queueMany = () =>
      work.run(acting, async (tx) => {
        for (const name of ['red', ...names]) tx.queue(paint, aJob(name));
      });
    expect(await countCommands(queueMany)).toBeLessThan(5);
    const atOnce = ['blue', 'green'].map((name) =>
      work.run(acting, async (tx) => {
        tx.queue(paint, aJob('yellow'));
        tx.queue(paint, aJob(name));
      }),
    );
    await Promise.all(atOnce);
    expect(await left()).toHaveLength(104);
  });

  test('a transaction that queues and cancels a job follows its last request', async () => {
    await work.run(acting, async (tx) => {
      tx.queue(paint, aJob('red'));
      tx.cancel(paint, 'red');
      tx.queue(paint, aJob('blue'));
      tx.cancel(paint, 'red');
      tx.queue(paint, aJob('red'));
      tx.cancel(paint, 'blue');
    });
    expect(await left()).toEqual(['paint/red ready']);
  });

  test('a running job that is queued again runs once more', async () => {
    let runs = 0;
    await aProcess(async () => {
      runs += 1;
      if (runs === 1) await queue(aJob('red'));
    });
    await queue(aJob('red'));
    await eventually(async () => (await left()).length === 0, 'the job has ended');
    expect(runs).toBe(2);
  });

  test('a running job that is queued again doesn’t wait for the time at which it would continue', async () => {
    let runs = 0;
    await aProcess(async () => {
      runs += 1;
      if (runs > 1) return;
      await queue(aJob('red'));
      return goOn(new Date(clock.now().getTime() + 3_600_000));
    });
    await queue(aJob('red'));
    await eventually(async () => (await left()).length === 0, 'the job has ended');
    expect(runs).toBe(2);
  });

  test('a job that ends while a transaction queues it again runs after the commit', async () => {
    await queue(aJob('red'));
    const { rows: jobs } = outbox.jobs;
    const end = async (): Promise<void> => {
      const row = await jobs.claim({ _id: 'paint/red' }, { holder: 'h', until: clock.now() });
      if (row) await jobs.finish(row, clock.now());
    };
    let times = 0;
    await work.run(acting, async (tx) => {
      await mongo.rows(jobRows).within(jobScope('specs of jobs'), tx).findById('paint/red');
      if ((times += 1) === 1) await end();
      tx.queue(paint, aJob('red'));
    });
    expect([times, await left()]).toEqual([2, ['paint/red ready']]);
  });

  test('a scheduled job waits until its time', async () => {
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

  test('a flood of jobs of one person leaves the next slots to another organisation and another person', async () => {
    const order: string[] = [];
    for (const name of ['f1', 'f2', 'f3', 'f4']) await queue(aJob(name));
    await queue(aJob('colleague', here, 'q'));
    await queue(aJob('other', there));
    const jobs = await aProcess(({ name }) => Promise.resolve(void order.push(name)), { definition: oneByOne });
    await jobs.look();
    await eventually(async () => (await left()).length === 0, 'all jobs have ended');
    expect(order).toHaveLength(6);
    expect(new Set(order.slice(0, 3))).toEqual(new Set(['f1', 'other', 'colleague']));
    expect(order.filter((name) => name.startsWith('f'))).toEqual(['f1', 'f2', 'f3', 'f4']);
  });

  test('one organisation has at most half of the slots', async () => {
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

  test('organisations whose jobs name the same flow share half of the slots', async () => {
    const ofOneFlow = defineJob('paint', {
      ...base,
      ownerOf: (one: Input) => ({ ...base.ownerOf(one), flow: 'usr_p' }),
    });
    const { promise: released, resolve: release } = Promise.withResolvers<void>();
    let begun = 0;
    const act = async (): Promise<void> => {
      begun += 1;
      await released;
    };
    const jobs = await aProcess(act, { definition: ofOneFlow });
    await work.run(acting, async (tx) => {
      for (const name of ['1', '2']) tx.queue(ofOneFlow, aJob(name, here, name));
      for (const name of ['3', '4']) tx.queue(ofOneFlow, aJob(name, there, name));
    });
    await jobs.look();
    expect(begun).toBe(2);
    release();
    await eventually(async () => (await left()).length === 0, 'all jobs have ended');
  });

  test('a job that has used its slice makes room for others, and continues on its next turn', async () => {
    const order: string[] = [];
    const jobs = await aProcess(
      async ({ name }, run) => {
        order.push(name);
        if (order.length > 1) return undefined;
        await eventually(() => run.shouldMakeRoom, 'the other job waits');
        return goOn();
      },
      { definition: oneByOne },
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

test('reads the progress of running jobs by their keys', async () => {
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

test('reads an empty queue in two commands, and one more for each kind', async () => {
  const jobs = await aProcess(() => Promise.resolve());
  await jobs.look();
  expect(await countCommands(() => jobs.look(), ['jobs'])).toBe(3);
});

test('refuses an invalid name, lease or input when the job is declared or queued', async () => {
  expect(() => defineJob('Paint it', base)).toThrow('no name of a job');
  expect(() => defineJob('paint', { ...base, leaseMs: 1_000 })).toThrow('shorter');
  await expect(queue({ name: 'red' } as Input)).rejects.toThrow();
  expect(await left()).toEqual([]);
});
