import { afterEach, beforeEach } from '@jest/globals';
import type { OrgId } from '@parley/protocol';
import { silentLogger, testStore } from '@parley/testing';
import { z } from 'zod';
import { NoMetrics } from '../../base/telemetry/metrics.ts';
import { newId } from '../../base/ids/index.ts';
import { job } from '../../events/work/index.ts';
import { jobRows } from '../../rows/jobs/index.ts';
import { jobScope } from '../../rows/mongo/index.ts';
import { defineJob, Jobs, type GoesOn, type JobRun } from './index.ts';

export type Input = { name: string; orgId: OrgId; person: string };
const input = z.object({ name: z.string(), orgId: z.string(), person: z.string() }) as unknown as z.ZodType<Input>;
export const base = {
  input,
  keyOf: ({ name }: Input) => name,
  ownerOf: ({ orgId, person }: Input) => ({ orgId, person }),
  slots: { all: 4 },
  leaseMs: 30_000,
  attempts: 3,
  pauseMs: (attempt: number) => attempt * 10_000,
};
export const paint = defineJob('paint', base);
/** Runs one job at a time; each job makes room for others immediately. */
export const oneByOne = defineJob('paint', { ...base, slots: { all: 1 }, sliceMs: 0 });
export const acting = job('tests jobs');
export const here = newId('organisation');
export const there = newId('organisation');
export const aJob = (name: string, orgId = here, person = 'p'): Input => ({ name, orgId, person });

export type Act = (input: Input, run: JobRun) => Promise<GoesOn | void>;
type More = { readonly definition?: typeof paint; readonly isAlone?: boolean; readonly giveUp?: () => void };

/** Runs until its signal aborts, like work that waits for someone else. */
export const stuck: Act = (_input, run) =>
  new Promise((_resolve, reject) => run.signal.addEventListener('abort', () => reject(run.signal.reason as Error)));

/** Creates a queue of jobs on a store of its own, empty for each test, and processes that run them. */
export async function jobsBench() {
  const store = await testStore();
  const { mongo, outbox, work, clock, doorbell } = store;
  const rows = mongo.rows(jobRows).within(jobScope('specs of jobs'));
  await store.ready();
  let running: Jobs[] = [];
  beforeEach(async () => {
    running = [];
    await rows.deleteMany({});
  });
  afterEach(async () => {
    await Promise.all(running.map((jobs) => jobs.beforeApplicationShutdown()));
  });
  return {
    ...store,
    rows,
    queue: (wanted: Input, at?: Date) => work.run(acting, async (tx) => tx.queue(paint, wanted, at ? { at } : {})),
    /** Returns ids and states of the remaining jobs. */
    left: async () => (await rows.find({}, { sort: { _id: 1 } })).map(({ _id, state }) => `${_id} ${state}`),
    async aProcess(act: Act, { definition = paint, isAlone = false, giveUp }: More = {}): Promise<Jobs> {
      const { jobs: queued, source: service } = outbox;
      const parts = { rows: queued.rows, clock, doorbell, service, logger: silentLogger(), metrics: new NoMetrics() };
      const jobs = new Jobs({ ...parts, isAlone, isWorking: true });
      jobs.register(definition, { run: act, ...(giveUp && { giveUp: () => Promise.resolve(giveUp()) }) });
      await jobs.onApplicationBootstrap();
      running.push(jobs);
      return jobs;
    },
  };
}
