import {
  problemCatalogue,
  quotaLimits,
  quotaRetrySeconds,
  type CeilingName,
  type CountedName,
  type CounterName,
  type QuotaName,
} from '@parley/contracts';
import { Problem, type UserId } from '@parley/protocol';
import type { Mongo, OrganisationScope, RowOf, Rows, ScopedRows, Transaction } from '../mongo/index.ts';
import { quotaCounterRows } from './quota-counter.collection.ts';

/** Names a counter of an organisation. */
export type QuotaKey = {
  readonly quota: CounterName;
  /** The default ceiling, if a setting of the service replaces that of `quotaLimits`. */
  readonly defaultCeiling?: number | undefined;
};
type Change = QuotaKey & {
  /** The change of the counter; below zero if something is removed. */
  readonly by: number;
  /** False for existing things that are only counted, without a check of the ceiling. */
  readonly isBounded?: boolean;
};

/** A quota without a counter, whose rows are counted whenever one is added. */
export type CountedQuota = {
  readonly quota: CountedName;
  /** The person whose quota it is, if each person has their own. */
  readonly userId?: UserId;
  /**
   * Counts existing rows by an index. Those of the transaction count too if it is used, which reads each row: for at most
   * 1,000. Without it the index alone is read.
   */
  readonly count: (mongo: Mongo, scope: OrganisationScope, tx?: Transaction) => Promise<number>;
  /** Tells how many rows of the transaction `count` doesn't see. */
  readonly unseen?: number;
};

type Shown = {
  readonly quota: CeilingName;
  /** The service's quotas without a counter. */
  readonly counted: readonly CountedQuota[];
  readonly defaultCeiling?: number | undefined;
};
type CounterRow = RowOf<typeof quotaCounterRows>;
/** Names the row of a quota: the organisation's, or that of one person in it. */
type RowKey = { readonly quota: QuotaName; readonly userId?: UserId | undefined };
/** `isSet`: the ceiling was set for this organisation. */
type Ceiling = { readonly ceiling: number; readonly isSet: boolean };
export type Quota = Ceiling & { readonly used: number };
type Recounted = { readonly before: number; readonly after: number };

const recountAttempts = 5;

/**
 * Limits how much organisations and people can have at the same time; a thing counts until it is deleted. Rows are
 * counted when one is added (`admit`). Storage alone has a stored counter. It changes in the transaction of what it
 * counts, so that it stays right even if the process is killed. Two transactions that add to the same quota write the
 * same row: the second one runs again and sees the first one's change.
 */
export class Quotas {
  private readonly rows: Rows<typeof quotaCounterRows>;

  constructor(private readonly mongo: Mongo) {
    this.rows = mongo.rows(quotaCounterRows);
  }

  /**
   * Checks what this transaction has just written; throws the quota's problem (409) if that exceeds the ceiling.
   * Deleting needs no check.
   */
  async admit(scope: OrganisationScope, tx: Transaction, written: CountedQuota): Promise<void> {
    const { quota, userId, count, unseen = 0 } = written;
    const rows = this.rows.within(scope, tx);
    const key = { quota: quota, userId };
    const known = await rows.change({ _id: counterId(scope, key) }, { $inc: { changes: 1 } });
    const guard = known ?? (await rows.insertOnce(emptyRow(scope, key))).row;
    const own = userId === undefined ? guard : await rows.findById(counterId(scope, { quota: quota }));
    const { ceiling } = ceilingOf(own, quota);
    if ((await count(this.mongo, scope, tx)) + unseen > ceiling) throw quotaFull(quota, ceiling);
  }

  /**
   * Changes a counter as part of the transaction. Throws the quota's problem (413) if the counter grows above the
   * ceiling; a decrease is never refused, even above a lowered ceiling.
   */
  async add(scope: OrganisationScope, tx: Transaction, change: Change): Promise<void> {
    const { quota, by, isBounded = true, defaultCeiling } = change;
    if (by === 0) return;
    const rows = this.rows.within(scope, tx);
    const row = await this.changed(scope, rows, change);
    const { used = 0 } = row;
    if (used < 0) await rows.update({ _id: row._id }, { $set: { used: 0 } });
    if (by <= 0 || !isBounded) return;
    const { ceiling } = ceilingOf(row, quota, defaultCeiling);
    if (used > ceiling) throw quotaFull(quota, ceiling);
  }

  /** Returns the value of a counter and its limit. */
  async read(scope: OrganisationScope, { quota, defaultCeiling }: QuotaKey, tx?: Transaction): Promise<Quota> {
    const row = await this.rows.within(scope, tx).findById(counterId(scope, { quota }));
    return { used: row?.used ?? 0, ...ceilingOf(row, quota, defaultCeiling) };
  }

  /**
   * Returns how much of a quota is used, and its limit. `used` is null for quotas of persons, and for emails, whose limit is
   * one of an hour.
   */
  async show(
    scope: OrganisationScope,
    { quota, counted, defaultCeiling }: Shown,
    tx?: Transaction,
  ): Promise<Ceiling & { readonly used: number | null }> {
    if (quota === 'storage') return this.read(scope, { quota: quota, defaultCeiling }, tx);
    const row = await this.rows.within(scope, tx).findById(counterId(scope, { quota: quota }));
    const ceiling = ceilingOf(row, quota, defaultCeiling);
    if (quotaLimits[quota].owner === 'person' || quota === 'emails') return { used: null, ...ceiling };
    const counting = counted.find((one) => one.quota === quota);
    if (!counting) throw new Error(`Nothing says how ${quota} are counted.`);
    return { used: await counting.count(this.mongo, scope, tx), ...ceiling };
  }

  /** Sets the ceiling of an organisation, or of each of its people for a personal quota; null for the default. */
  setCeiling(scope: OrganisationScope, quota: CeilingName, ceiling: number | null): Promise<void> {
    return this.changeCeiling(scope, { quota, ceiling });
  }

  /** Sets the ceiling like `setCeiling`, as part of a transaction. */
  async changeCeiling(
    scope: OrganisationScope,
    { quota, ceiling }: { readonly quota: CeilingName; readonly ceiling: number | null },
    tx?: Transaction,
  ): Promise<void> {
    const rows = this.rows.within(scope, tx);
    const { isNew } = await rows.insertOnce({ ...emptyRow(scope, { quota }), ceiling });
    if (!isNew) await rows.update({ _id: counterId(scope, { quota }) }, { $set: { ceiling }, $inc: { changes: 1 } });
  }

  /**
   * Sets a counter to the result of `count`. Counts again if the counter changed meanwhile, so that no transaction has
   * to stay open. Returns null if the counter changed during each attempt.
   */
  async recount(scope: OrganisationScope, key: QuotaKey, count: () => Promise<number>): Promise<Recounted | null> {
    const rows = this.rows.within(scope);
    const _id = counterId(scope, key);
    for (let attempt = 0; attempt < recountAttempts; attempt += 1) {
      const row = await rows.findById(_id);
      const after = await count();
      const before = row?.used ?? 0;
      if (row) {
        const set = { $set: { used: after }, $inc: { changes: 1 } };
        if (await rows.update({ _id, changes: row.changes }, set)) return { before, after };
      } else if (after === 0 || (await rows.insertOnce({ ...emptyRow(scope, key), used: after })).isNew)
        return { before, after };
    }
    return null;
  }

  private async changed(
    scope: OrganisationScope,
    rows: ScopedRows<CounterRow>,
    { by, quota }: Change,
  ): Promise<CounterRow> {
    const row = await rows.change({ _id: counterId(scope, { quota }) }, { $inc: { used: by, changes: 1 } });
    if (row) return row;
    // If another transaction creates the counter at the same moment, this one runs again.
    return (await rows.insertOnce({ ...emptyRow(scope, { quota }), used: by, changes: 1 })).row;
  }
}

/** Returns the refusal above a limit, which says what is full and what to do. */
export function quotaFull(quota: QuotaName, ceiling: number): Problem {
  const { problem, things, unit, owner, whenFull } = quotaLimits[quota];
  const most = unit === 'bytes' ? `${(ceiling / 1e9).toLocaleString('en')} GB of storage` : `${ceiling} ${things}`;
  const whose = owner === 'person' ? 'You have' : 'Your organisation has';
  return new Problem(problem, {
    detail: `${whose} reached the limit of ${most}. ${whenFull}`,
    // Leaves out the time to wait if something has to be deleted first, because waiting is then useless.
    ...(problemCatalogue[problem].status !== 409 && { retryAfterSeconds: quotaRetrySeconds }),
  });
}

function ceilingOf(row: CounterRow | null, quota: QuotaName, defaultCeiling?: number): Ceiling {
  const set = row?.ceiling ?? null;
  return { ceiling: set ?? defaultCeiling ?? quotaLimits[quota].ceiling, isSet: set !== null };
}

const counterId = ({ orgId }: OrganisationScope, { quota, userId }: RowKey): string =>
  [orgId, quota, ...(userId === undefined ? [] : [userId])].join('/');

const emptyRow = (scope: OrganisationScope, key: RowKey): CounterRow => ({
  _id: counterId(scope, key),
  orgId: scope.orgId,
  userId: key.userId ?? null,
  quota: key.quota,
  ceiling: null,
  changes: 0,
});
