import type { OrgId } from '@parley/protocol';
import type { JobDefinition } from '../../base/job-definition.ts';
import { jobScope, type Mongo, type Rows, type ScopedRows, type Transaction } from '../mongo/index.ts';
import { jobRows, type JobProgress, type JobRow } from './job.collection.ts';

const scope = jobScope('work that waits');
/** Limits the scheduled jobs, and the running jobs with an ended lease, that one call of `wakeDue` makes ready. */
const mostDue = 100;
const mostCounted = 10_000;

const fresh = { holder: null, attempts: 0, isWantedAgain: false, progress: null, cause: null } as const;

type Queued = Omit<JobRow, 'holder' | 'attempts' | 'isWantedAgain' | 'wishes' | 'progress' | 'cause'>;
/** A change that a transaction makes to a job: it queues the job, now or for later, or cancels it. */
export type JobChange = { readonly queue: Queued } | { readonly cancel: string };
type GivenBack = {
  readonly at: Date | null;
  readonly isCounted: boolean;
  readonly cause?: string | null;
  readonly now: Date;
};
type Held = Pick<JobRow, '_id' | 'holder'>;
/** Parked jobs of a kind that belong to the organisation or to none. */
export type ParkedOf = { readonly kind: string; readonly orgId: OrgId; readonly ids?: readonly string[] | undefined };
type ParkedRow = Pick<JobRow, '_id' | 'orgId' | 'cause' | 'attempts' | 'dueAt'>;

/** Returns the id of a job's row. */
export const jobId = ({ kind }: Pick<JobDefinition<never>, 'kind'>, key: string): string => `${kind}/${key}`;
/**
 * Returns the text by which ready jobs are sorted: kind, organisation and person. So jobs of one kind and person are
 * next to each other.
 */
const partOf = ({ kind, orgId, person }: Pick<JobRow, 'kind' | 'orgId' | 'person'>): string =>
  `${kind} ${orgId ?? ''} ${person}`;
const readyAt = (row: JobRow, dueAt: Date) => ({ state: 'ready', part: partOf(row), dueAt, holder: null }) as const;
const laterAt = (dueAt: Date) => ({ state: 'later', part: '', dueAt, holder: null }) as const;
const parkedOf = ({ kind, orgId, ids }: ParkedOf) => ({
  state: 'parked' as const,
  part: kind,
  orgId: { $in: [orgId, null] },
  ...(ids && { _id: { $in: [...ids] } }),
});

/** Returns the row of a job that is due now, or at `at`. */
export function queued<Input>(
  job: JobDefinition<Input>,
  input: Input,
  { now, at }: { now: Date; at?: Date },
): JobChange {
  const { kind } = job;
  const checked = job.input.parse(input);
  const own = { _id: jobId(job, job.keyOf(checked)), kind, ...job.ownerOf(checked) };
  const isLater = at !== undefined && at > now;
  const due = isLater
    ? ({ state: 'later', part: '', dueAt: at } as const)
    : ({ state: 'ready', part: partOf(own), dueAt: now } as const);
  return { queue: { ...own, input: checked as Record<string, unknown>, ...due } };
}

/** Stores a service's jobs, one row each. During its lease, only the attempt that runs a job ends or parks it. */
export class JobRows {
  private readonly rows: Rows<typeof jobRows>;

  constructor(mongo: Mongo) {
    this.rows = mongo.rows(jobRows);
  }

  private all(tx?: Transaction): ScopedRows<JobRow> {
    return this.rows.within(scope, tx);
  }

  /** Writes a transaction's requests about jobs in this order, as part of the transaction. */
  async write(changes: readonly JobChange[], tx: Transaction): Promise<void> {
    const queues = changes.flatMap((change) => ('queue' in change ? [change.queue] : []));
    const isInAnyOrder = new Set(queues.map(({ _id }) => _id)).size === changes.length;
    if (isInAnyOrder) return this.queueAll(queues, tx);
    for (const change of changes)
      if ('cancel' in change) await this.all(tx).delete({ _id: change.cancel });
      else await this.queueAll([change.queue], tx);
  }

  /**
   * Queues jobs. A job that waits already gets the new input, and the new due time unless both times are now; a running
   * job runs again afterwards.
   */
  private async queueAll(queues: readonly Queued[], tx: Transaction): Promise<void> {
    const rows = await this.all(tx).insertNew(queues.map((queue) => ({ ...queue, ...fresh })));
    const known = new Map(rows.map((row) => [row._id, row]));
    for (const { _id, state, part, dueAt, input } of queues) {
      const row = known.get(_id);
      if (!row) continue;
      // Keeps the due time of a job that is due already, and so its place in the order.
      const isDue = row.state === 'ready' && state === 'ready';
      const due = isDue ? {} : { state, part, dueAt, attempts: 0, cause: null };
      const set = { input, ...(row.holder === null ? due : { isWantedAgain: true }) };
      // The count changes in any case, so that a worker that claims the job meanwhile conflicts with this transaction.
      await this.all(tx).update({ _id }, { $set: set, $inc: { wishes: 1 } });
    }
  }

  /** Queues a job for work that an earlier version left waiting, unless the job exists already. For migrations. */
  async addMissing<Input>(job: JobDefinition<Input>, input: Input, at?: Date): Promise<void> {
    // A scheduled job keeps its time, even if that has passed: the worker compares it with its own clock.
    const change = queued(job, input, at ? { now: new Date(0), at } : { now: new Date() });
    if ('queue' in change) await this.all().insertOnce({ ...change.queue, ...fresh });
  }

  /**
   * Returns the first ready job of the next person after `after`, a row's `part` in the queue; for null, of the first
   * person. Returns null after the last person.
   */
  async nextReady(kind: string, after: string | null): Promise<JobRow | null> {
    const from = after ?? `${kind} `;
    const part = { $gt: from, $lt: `${kind}!` };
    const [row] = await this.rows.recall(scope, `ready ${kind} after ${from}`, (rows) =>
      rows.find({ state: 'ready', part }, { sort: { part: 1, dueAt: 1 }, limit: 1 }),
    );
    return row ?? null;
  }

  /** Claims a job for the holder; returns null if another worker has it. Counts the attempt before the job begins. */
  claim({ _id }: Pick<JobRow, '_id'>, { holder, until }: { holder: string; until: Date }): Promise<JobRow | null> {
    const set = { state: 'running', part: '', dueAt: until, holder } as const;
    return this.all().change({ _id, state: 'ready' }, { $set: set, $inc: { attempts: 1 } });
  }

  /** Renews the lease; false if the job belongs to another attempt, or was cancelled. */
  keep(
    { _id, holder }: Held,
    { until, progress, isFresh = false }: { until: Date; progress?: JobProgress | null; isFresh?: boolean },
    tx?: Transaction,
  ): Promise<boolean> {
    const set = { dueAt: until, ...(progress && { progress }), ...(isFresh && { attempts: 1 }) };
    return this.all(tx).update({ _id, holder }, { $set: set });
  }

  /**
   * Ends the attempt without ending the job, which is due again at `at`; immediately for null, or if it was queued
   * again and didn't fail. `isCounted` is false if the attempt didn't fail.
   */
  async giveBack(row: JobRow, { at, isCounted, cause = null, now }: GivenBack): Promise<void> {
    const { _id, holder, attempts } = row;
    const set = { isWantedAgain: false, cause, attempts: isCounted ? attempts : Math.max(0, attempts - 1) };
    const held = { _id, holder };
    // Uses one condition and one write, so that a request which commits meanwhile comes before it, or after it.
    const unless = isCounted ? held : { ...held, isWantedAgain: false };
    if (at !== null && (await this.all().update(unless, { $set: { ...set, ...laterAt(at) } }))) return;
    await this.all().update(held, { $set: { ...set, ...readyAt(row, now) } });
  }

  /** Ends a finished job; if it was queued again meanwhile, it is ready again. */
  async finish(row: JobRow, now: Date): Promise<void> {
    const { _id, holder } = row;
    if (await this.all().delete({ _id, holder, isWantedAgain: false })) return;
    await this.beginAgain(row, now);
  }

  /** Parks a job whose attempts are used up; if it was queued again meanwhile, it is ready again. */
  async park(row: JobRow, { now, cause }: { now: Date; cause: string }): Promise<void> {
    const { _id, holder, kind } = row;
    const set = { state: 'parked', part: kind, dueAt: now, holder: null, cause } as const;
    if (await this.all().update({ _id, holder, isWantedAgain: false }, { $set: set })) return;
    await this.beginAgain(row, now);
  }

  /** Makes a job ready that was queued again while it ran. */
  private async beginAgain(row: JobRow, now: Date): Promise<void> {
    const { _id, holder } = row;
    const again = { ...readyAt(row, now), isWantedAgain: false, attempts: 0, progress: null, cause: null };
    await this.all().update({ _id, holder, isWantedAgain: true }, { $set: again });
  }

  /** Makes parked jobs ready, the oldest first; returns how many it has made ready. Idempotent. */
  async runAgain(which: ParkedOf, { now, limit }: { readonly now: Date; readonly limit: number }): Promise<number> {
    const rows = await this.all().find(parkedOf(which), { sort: { dueAt: 1 }, limit });
    let count = 0;
    for (const row of rows) {
      const set = { ...readyAt(row, now), attempts: 0, cause: null };
      if (await this.all().update({ _id: row._id, state: 'parked' }, { $set: set })) count += 1;
    }
    return count;
  }

  /** Returns the newest parked jobs of a kind that belong to the organisation or to none. */
  parkedOf(which: ParkedOf, limit: number): Promise<ParkedRow[]> {
    const fields = ['orgId', 'cause', 'attempts', 'dueAt'] as const;
    return this.all().find(parkedOf(which), { sort: { dueAt: -1 }, limit, fields });
  }

  /** Counts the parked jobs of a kind by organisation; `orgId` is null for jobs that belong to none. */
  async countParked(kind: string): Promise<readonly { readonly orgId: OrgId | null; readonly count: number }[]> {
    const counts = await this.all().countBy({ state: 'parked', part: kind }, ['orgId']);
    return counts.map(({ of: { orgId = null }, count }) => ({ orgId, count }));
  }

  /** Returns kind and last failure of scheduled jobs, beginning with those due first. */
  dueLater(limit: number): Promise<Pick<JobRow, '_id' | 'kind' | 'cause'>[]> {
    return this.all().find({ state: 'later', part: '' }, { sort: { dueAt: 1 }, limit, fields: ['kind', 'cause'] });
  }

  /**
   * Makes scheduled jobs ready whose time has come, and running jobs whose lease has ended. Returns their kinds, and
   * the time when the next one is due; null without one.
   */
  async wakeDue(now: Date): Promise<{ readonly kinds: ReadonlySet<string>; readonly nextAt: Date | null }> {
    const [later, running] = [await this.inTime('later'), await this.inTime('running')];
    const due = [...later, ...running].filter(({ dueAt }) => dueAt <= now);
    for (const row of due) {
      const { _id, dueAt, holder, state } = row;
      await this.all().update({ _id, dueAt, holder, state }, { $set: readyAt(row, dueAt) });
    }
    const next = [later, running].flatMap((rows) => {
      const first = rows.find(({ dueAt }) => dueAt > now)?.dueAt;
      return first ?? (rows.length === mostDue ? now : []);
    });
    const [nextAt = null] = next.toSorted((one, other) => one.getTime() - other.getTime());
    return { kinds: new Set(due.map(({ kind }) => kind)), nextAt };
  }

  /** Returns the jobs of this state that are due first. */
  private inTime(state: 'later' | 'running'): Promise<JobRow[]> {
    return this.rows.recall(scope, state, (rows) =>
      rows.find({ state, part: '' }, { sort: { dueAt: 1 }, limit: mostDue }),
    );
  }

  /** Ends all leases. For a process that runs alone, because all other holders are then dead. */
  async releaseAll(now: Date): Promise<void> {
    await this.all().updateMany({ state: 'running' }, { $set: { dueAt: now } });
  }

  /** Returns the progress of these jobs by key, without those that have none or don't exist. */
  async progressOf<Input>(
    job: JobDefinition<Input>,
    keys: readonly string[],
  ): Promise<ReadonlyMap<string, JobProgress>> {
    const ids = new Map(keys.map((key) => [jobId(job, key), key]));
    const found = await this.all().find({ _id: { $in: [...ids.keys()] } }, { fields: ['progress'] });
    return new Map(found.flatMap(({ _id, progress }) => (progress ? [[ids.get(_id)!, progress]] : [])));
  }

  /** Returns whether the job waits, runs or is parked. */
  isThere<Input>(job: JobDefinition<Input>, key: string): Promise<boolean> {
    return this.all().exists({ _id: jobId(job, key) });
  }

  /** Counts the due, running and parked jobs of a kind over all processes, up to 10,000 each. */
  async countOf(kind: string): Promise<{ readonly ready: number; readonly running: number; readonly parked: number }> {
    const part = { $gt: `${kind} `, $lt: `${kind}!` };
    const [ready, running, parked] = await Promise.all([
      this.all().count({ state: 'ready', part }, { limit: mostCounted }),
      this.all().count({ state: 'running', kind }, { limit: mostCounted }),
      this.all().count({ state: 'parked', part: kind }, { limit: mostCounted }),
    ]);
    return { ready, running, parked };
  }
}
