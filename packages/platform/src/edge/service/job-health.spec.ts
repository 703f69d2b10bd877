import { expect, test } from '@jest/globals';
import type { OrgId } from '@parley/protocol';
import { eventually } from '@parley/testing';
import { jobRows, type JobRow } from '../../jobs/queue/index.ts';
import { jobsBench, paint, here, there, aJob } from '../../jobs/queue/jobs.spec-setup.ts';
import { jobScope } from '../../rows/mongo/index.ts';
import { OwnJobs } from './index.ts';

const { aProcess, clock, left, mongo, outbox, queue } = await jobsBench();
const rows = mongo.rows(jobRows).within(jobScope('plants jobs'));
const own = new OwnJobs(outbox.jobs, () => ['paint']);

/** Stores a job as an earlier process left it. */
const plant = (name: string, state: 'later' | 'parked', parts: Partial<JobRow> = {}): Promise<void> =>
  rows.insert({
    _id: `paint/${name}`,
    kind: 'paint',
    orgId: here,
    person: 'ada@example.com',
    input: { name, orgId: here, person: 'ada@example.com' },
    state,
    part: state === 'parked' ? 'paint' : '',
    dueAt: clock.now(),
    holder: null,
    attempts: 3,
    isWantedAgain: false,
    progress: null,
    cause: 'TypeError E_PAINT',
    ...parts,
  });
const health = async (orgId: OrgId) => (await own.health(orgId))[0]!;

test('counts jobs of a kind over all organisations, and lists parked ones with their cause only', async () => {
  await queue(aJob('red'));
  await queue(aJob('blue', there));
  await plant('retried', 'later');
  await plant('scheduled', 'later', { cause: null });
  await plant('mine', 'parked');
  await plant('theirs', 'parked', { orgId: there });
  await plant('nobodys', 'parked', { orgId: null });
  const at = clock.now().toISOString();
  const job = { cause: 'TypeError E_PAINT', attempts: 3, at };
  const told = await health(here);
  expect({ ...told, parkedJobs: told.parkedJobs.toSorted((one, other) => one.id.localeCompare(other.id)) }).toEqual({
    kind: 'paint',
    waiting: 2,
    running: 0,
    later: 2,
    retrying: 1,
    parked: 3,
    parkedHere: 2,
    parkedJobs: [
      { id: 'paint/mine', isOfAll: false, ...job },
      { id: 'paint/nobodys', isOfAll: true, ...job },
    ],
    parkedElsewhere: [{ orgId: there, count: 1 }],
  });
  expect(JSON.stringify(told)).not.toContain('ada@');
});

test('runs parked jobs again immediately with all their attempts, never those of another organisation', async () => {
  const ran: [string, number][] = [];
  await aProcess(({ name }, run) => Promise.resolve(void ran.push([name, run.attempt])), { definition: paint });
  for (const name of ['one', 'two', 'three']) await plant(name, 'parked');
  await plant('theirs', 'parked', { orgId: there });
  const ids = ['paint/one', 'paint/theirs', 'paint/gone'];
  expect(await own.runAgain(here, { kind: 'paint', ids })).toBe(1);
  expect(await own.runAgain(here, { kind: 'paint', ids })).toBe(0);
  await eventually(() => expect(ran).toEqual([['one', 1]]), 'its ring has begun it, without a sweep');
  expect(await own.runAgain(here, { kind: 'paint' })).toBe(2);
  await eventually(async () => expect(await left()).toEqual(['paint/theirs parked']), 'the others have run');
  expect(ran.map(([, attempt]) => attempt)).toEqual([1, 1, 1]);
});

test('a kind that the service doesn’t run has no jobs to run again', async () => {
  await plant('one', 'parked');
  expect(await new OwnJobs(outbox.jobs, () => []).runAgain(here, { kind: 'paint' })).toBe(0);
  expect(await left()).toEqual(['paint/one parked']);
});
