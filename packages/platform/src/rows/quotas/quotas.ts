import {
  isCounterName,
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

/** Which counter of an organisation. */
export type QuotaKey = {
  readonly quota: CounterName;
  /** The default, where a setting of the service replaces that of the table. */
  readonly defaultCeiling?: number | undefined;
};
type Change = QuotaKey & {
  /** Below zero when something goes. */
  readonly by: number;
  /** Gives the count before the change, made in the same transaction: for things that also end as time passes. */
  readonly counted?: number | undefined;
  /** False for what is there already and only has to be counted. */
  readonly isBounded?: boolean;
};

/** Says how a quota is counted whose rows are counted whenever one is added. */
export type CountedQuota = {
  readonly quota: CountedName;
  /** Names the person where each has their own. */
  readonly userId?: UserId;
  /** Counts what is there by an index, with what the transaction has written. */
  readonly count: (mongo: Mongo, scope: OrganisationScope, tx?: Transaction) => Promise<number>;
};

type Shown = {
  readonly quota: CeilingName;
  /** Says how the service's quotas without a counter are counted. */
  readonly counted: readonly CountedQuota[];
  readonly defaultCeiling?: number | undefined;
};
type CounterRow = RowOf<typeof quotaCounterRows>;
/** Which row: the organisation's, or that of one person in it. */
type RowKey = { readonly quota: QuotaName; readonly userId?: UserId | undefined };
/** `isSet`: it was set for this organisation. */
type Ceiling = { readonly ceiling: number; readonly isSet: boolean };
export type Quota = Ceiling & { readonly used: number };
type Recounted = { readonly before: number; readonly after: number };

const recountAttempts = 5;

/**
 * Bounds what organisations and people have until they delete it. A quota of at most 1,000 is counted when something is
 * added (`admit`). Any other has a durable counter, which changes in the transaction that changes the thing it counts:
 * both become true or none does, also when the process is killed. Two transactions that add to the same quota meet at
 * its row: the second one runs again and sees the first.
 */
export class Quotas {
  private readonly rows: Rows<typeof quotaCounterRows>;

  constructor(private readonly mongo: Mongo) {
    this.rows = mongo.rows(quotaCounterRows);
  }

  /**
   * Admits what this transaction has just written; throws the quota's problem (409) where there is more than the
   * ceiling now. What deletes needs no guard.
   */
  async admit(scope: OrganisationScope, tx: Transaction, { quota, userId, count }: CountedQuota): Promise<void> {
    const rows = this.rows.within(scope, tx);
    const key = { quota: quota, userId };
    const written = await rows.change({ _id: counterId(scope, key) }, { $inc: { changes: 1 } });
    const guard = written ?? (await rows.insertOnce(emptyRow(scope, key))).row;
    const own = userId === undefined ? guard : await rows.findById(counterId(scope, { quota: quota }));
    const { ceiling } = ceilingOf(own, quota);
    if ((await count(this.mongo, scope, tx)) > ceiling) throw quotaFull(quota, ceiling);
  }

  /**
   * Changes a counter as part of the transaction. Throws the quota's problem (409, 413 or 429) when it grows beyond the
   * ceiling; what shrinks is never refused, also above a ceiling that was lowered.
   */
  async add(scope: OrganisationScope, tx: Transaction, change: Change): Promise<void> {
    const { quota, by, counted, isBounded = true, defaultCeiling } = change;
    if (by === 0 && counted === undefined) return;
    const rows = this.rows.within(scope, tx);
    const row = await this.changed(scope, rows, change);
    const { used = 0 } = row;
    if (used < 0) await rows.update({ _id: row._id }, { $set: { used: 0 } });
    if (by <= 0 || !isBounded) return;
    const { ceiling } = ceilingOf(row, quota, defaultCeiling);
    if (used > ceiling) throw quotaFull(quota, ceiling);
  }

  /** Returns how much a counter has and how much there can be. */
  async read(scope: OrganisationScope, { quota, defaultCeiling }: QuotaKey, tx?: Transaction): Promise<Quota> {
    const row = await this.rows.within(scope, tx).findById(counterId(scope, { quota }));
    return { used: row?.used ?? 0, ...ceilingOf(row, quota, defaultCeiling) };
  }

  /** Returns the same of any quota; `used` is null where each person has their own. */
  async show(
    scope: OrganisationScope,
    { quota, counted, defaultCeiling }: Shown,
    tx?: Transaction,
  ): Promise<Ceiling & { readonly used: number | null }> {
    if (isCounterName(quota)) return this.read(scope, { quota: quota, defaultCeiling }, tx);
    const row = await this.rows.within(scope, tx).findById(counterId(scope, { quota: quota }));
    const ceiling = ceilingOf(row, quota, defaultCeiling);
    if (quotaLimits[quota].owner === 'person') return { used: null, ...ceiling };
    const counting = counted.find((one) => one.quota === quota);
    if (!counting) throw new Error(`Nothing says how ${quota} are counted.`);
    return { used: await counting.count(this.mongo, scope, tx), ...ceiling };
  }

  /** Sets the ceiling of an organisation, for each of its people where they own the quota; null for the default. */
  setCeiling(scope: OrganisationScope, quota: CeilingName, ceiling: number | null): Promise<void> {
    return this.changeCeiling(scope, { quota, ceiling });
  }

  /** Does the same as part of a transaction. */
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
   * Sets a counter to what `count` finds. It counts again when the counter has changed meanwhile, so no transaction has
   * to stay open for it. Null when that happened at each attempt.
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
    { by, counted, quota }: Change,
  ): Promise<CounterRow> {
    const change =
      counted === undefined
        ? { $inc: { used: by, changes: 1 } }
        : { $set: { used: counted + by }, $inc: { changes: 1 } };
    const row = await rows.change({ _id: counterId(scope, { quota }) }, change);
    if (row) return row;
    // One that somebody else begins at the same moment makes this transaction run again.
    return (await rows.insertOnce({ ...emptyRow(scope, { quota }), used: (counted ?? 0) + by, changes: 1 })).row;
  }
}

/** The refusal above a limit: what is full, and what to do about it. */
export function quotaFull(quota: QuotaName, ceiling: number): Problem {
  const { problem, things, unit, owner, whenFull } = quotaLimits[quota];
  const most = unit === 'bytes' ? `${(ceiling / 1e9).toLocaleString('en')} GB of storage` : `${ceiling} ${things}`;
  const whose = owner === 'person' ? 'You have' : 'Your organisation has';
  return new Problem(problem, {
    detail: `${whose} reached the limit of ${most}. ${whenFull}`,
    // Waiting helps nobody where something has to be deleted first.
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
