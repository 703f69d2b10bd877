import { describe, expect, test } from '@jest/globals';
import { NoMetrics } from '../../base/telemetry/metrics.ts';
import { collection, jobScope } from '../../rows/mongo/index.ts';
import { silentLogger } from '@parley/testing';
import { z } from 'zod';
import { defineJob, goOn, JobRows, Jobs } from './index.ts';
import { aJob, acting, base, jobsBench, there, type Act } from './jobs.spec-setup.ts';

const { mongo, outbox, work, clock, doorbell, left } = await jobsBench();
const paintings = mongo.rows(
  collection('paintings', { _id: z.string(), coats: z.number().int() }, { tenant: 'platform' }),
);
const scope = jobScope('specs of jobs');
const all = paintings.within(scope);
/** Two coats each: after the first, the job continues on its next turn. */
const paint = defineJob('paint', { ...base, attempts: 50, slots: { all: 2 } });
const names = ['red', 'green', 'blue'];

const coat: Act = ({ name }, run) =>
  work.run(acting, async (tx) => {
    await run.hold(tx);
    const mine = paintings.within(scope, tx);
    if (await mine.change({ _id: name, coats: 1 }, { $inc: { coats: 1 } })) return undefined;
    const { isNew } = await mine.insertOnce({ _id: name, coats: 1 });
    return isNew ? goOn() : undefined;
  });

/** Creates the `JobRows` of a process that is killed after this many writes: later writes fail without effect. */
function mortal(writes: number): JobRows {
  const rows = new JobRows(mongo);
  let more = writes;
  const dies = <Given extends unknown[], Result>(act: (...given: Given) => Promise<Result>) => {
    return (...given: Given): Promise<Result> => {
      if (more <= 0) return Promise.reject(new Error('killed'));
      more -= 1;
      return act(...given);
    };
  };
  return Object.assign(Object.create(rows) as JobRows, {
    claim: dies(rows.claim.bind(rows)),
    keep: dies(rows.keep.bind(rows)),
    finish: dies(rows.finish.bind(rows)),
    giveBack: dies(rows.giveBack.bind(rows)),
    wakeDue: dies(rows.wakeDue.bind(rows)),
  });
}

function aProcess(rows: JobRows): Jobs {
  const parts = { clock, doorbell, service: outbox.source, logger: silentLogger(), metrics: new NoMetrics() };
  const jobs = new Jobs({ ...parts, rows, isAlone: false, isWorking: true });
  jobs.register(paint, { run: coat });
  return jobs;
}

describe('jobs of a killed process', () => {
  test.each([1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12])(
    'no job is lost or done twice if its process is killed after write %i',
    async (writes) => {
      await all.deleteMany({});
      await work.run(acting, async (tx) => {
        for (const name of names) tx.queue(paint, aJob(name, name === 'blue' ? there : undefined));
      });
      const dying = aProcess(mortal(writes));
      for (let looks = 0; looks < 4; looks += 1) {
        await dying.look().catch(() => undefined);
        await dying.settled();
      }
      clock.advance(base.leaseMs);
      const next = aProcess(new JobRows(mongo));
      for (let looks = 0; looks < 6; looks += 1) {
        await next.look();
        await next.settled();
      }
      expect(await left()).toEqual([]);
      expect(await all.find({}, { sort: { _id: 1 } })).toEqual(names.toSorted().map((_id) => ({ _id, coats: 2 })));
    },
  );
});
