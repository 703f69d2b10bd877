import {
  counterNames,
  problemCatalogue,
  stockLimits,
  stockRetrySeconds,
  type CounterName,
  type StockName,
} from '@parley/contracts';
import { Problem, type UserId } from '@parley/protocol';
import type { Mongo, OrganisationScope, RowOf, Rows, ScopedRows, Transaction } from '../mongo/index.ts';
import { stockCounterRows } from './stock-counter.collection.ts';

/** Which counter: the organisation's, or that of one person in it. */
export type StockKey = {
  readonly stock: CounterName;
  readonly userId?: UserId | undefined;
  /** The default, where a setting of the service replaces that of the table. */
  readonly defaultCeiling?: number | undefined;
};
type Change = StockKey & {
  /** Below zero when something goes. */
  readonly by: number;
  /** What there is before the change, counted in the same transaction: for what also ends as time passes. */
  readonly counted?: number | undefined;
  /** False for what is there already and only has to be counted. */
  readonly isBounded?: boolean;
};
type CounterRow = RowOf<typeof stockCounterRows>;
/** `isSet`: the ceiling was set for this organisation. */
export type Stock = { readonly used: number; readonly ceiling: number; readonly isSet: boolean };
type Recounted = { readonly before: number; readonly after: number };

const recountAttempts = 5;

/**
 * Durable counters of what organisations and people have, each with a limit. A counter changes in the transaction that
 * changes the thing it counts: both become true or none does, also when the process is killed. Two transactions that
 * change the same counter meet at its row: the second one runs again and sees the first.
 */
export class Stocks {
  private readonly rows: Rows<typeof stockCounterRows>;

  constructor(mongo: Mongo) {
    this.rows = mongo.rows(stockCounterRows);
  }

  /**
   * Changes a counter as part of the transaction. Throws the stock's problem (409, 413 or 429) when it grows beyond the
   * ceiling; what shrinks is never refused, also above a ceiling that was lowered.
   */
  async add(scope: OrganisationScope, tx: Transaction, change: Change): Promise<void> {
    const { by, counted, isBounded = true } = change;
    if (by === 0 && counted === undefined) return;
    const rows = this.rows.within(scope, tx);
    const row = await this.changed(scope, rows, change);
    if (row.used < 0) await rows.update({ _id: row._id }, { $set: { used: 0 } });
    if (by <= 0 || !isBounded) return;
    const ceiling = await this.ceilingOf(scope, rows, { ...change, row });
    if (row.used > ceiling) throw stockFull(change.stock, ceiling);
  }

  /** Returns how much there is and how much there can be. */
  async read(scope: OrganisationScope, key: StockKey, tx?: Transaction): Promise<Stock> {
    const rows = this.rows.within(scope, tx);
    const row = await rows.findById(counterId(scope, key));
    const own = key.userId === undefined ? row : await rows.findById(counterId(scope, { stock: key.stock }));
    const set = own?.ceiling ?? null;
    const ceiling = set ?? key.defaultCeiling ?? stockLimits[key.stock].ceiling;
    return { used: row?.used ?? 0, ceiling, isSet: set !== null };
  }

  /** Sets the ceiling of an organisation, for each of its people where they own the stock; null for the default. */
  setCeiling(scope: OrganisationScope, stock: CounterName, ceiling: number | null): Promise<void> {
    return this.changeCeiling(scope, { stock, ceiling });
  }

  /** Does the same as part of a transaction. */
  async changeCeiling(
    scope: OrganisationScope,
    { stock, ceiling }: { readonly stock: CounterName; readonly ceiling: number | null },
    tx?: Transaction,
  ): Promise<void> {
    const rows = this.rows.within(scope, tx);
    const { isNew } = await rows.insertOnce({ ...emptyCounter(scope, { stock }), ceiling });
    if (!isNew) await rows.update({ _id: counterId(scope, { stock }) }, { $set: { ceiling }, $inc: { changes: 1 } });
  }

  /**
   * Sets a counter to what `count` finds. It counts again when the counter has changed meanwhile, so no transaction has
   * to stay open for it. Null when that happened at each attempt.
   */
  async recount(scope: OrganisationScope, key: StockKey, count: () => Promise<number>): Promise<Recounted | null> {
    const rows = this.rows.within(scope);
    const _id = counterId(scope, key);
    for (let attempt = 0; attempt < recountAttempts; attempt += 1) {
      const row = await rows.findById(_id);
      const after = await count();
      const before = row?.used ?? 0;
      if (row) {
        const set = { $set: { used: after }, $inc: { changes: 1 } };
        if (await rows.update({ _id, changes: row.changes }, set)) return { before, after };
      } else if (after === 0 || (await rows.insertOnce({ ...emptyCounter(scope, key), used: after })).isNew)
        return { before, after };
    }
    return null;
  }

  private async changed(
    scope: OrganisationScope,
    rows: ScopedRows<CounterRow>,
    { by, counted, ...key }: Change,
  ): Promise<CounterRow> {
    const change =
      counted === undefined
        ? { $inc: { used: by, changes: 1 } }
        : { $set: { used: counted + by }, $inc: { changes: 1 } };
    const row = await rows.change({ _id: counterId(scope, key) }, change);
    if (row) return row;
    // One that somebody else begins at the same moment makes this transaction run again.
    return (await rows.insertOnce({ ...emptyCounter(scope, key), used: (counted ?? 0) + by, changes: 1 })).row;
  }

  private async ceilingOf(
    scope: OrganisationScope,
    rows: ScopedRows<CounterRow>,
    { stock, userId, defaultCeiling, row }: StockKey & { readonly row: CounterRow | null },
  ): Promise<number> {
    const own = userId === undefined ? row : await rows.findById(counterId(scope, { stock }));
    return own?.ceiling ?? defaultCeiling ?? stockLimits[stock].ceiling;
  }
}

/** The refusal above a limit: what is full, and what to do about it. */
export function stockFull(stock: StockName, ceiling: number): Problem {
  const { problem, things, unit, owner, whenFull } = stockLimits[stock];
  const most = unit === 'bytes' ? `${(ceiling / 1e9).toLocaleString('en')} GB of storage` : `${ceiling} ${things}`;
  const whose = owner === 'person' ? 'You have' : 'Your organisation has';
  return new Problem(problem, {
    detail: `${whose} reached the limit of ${most}. ${whenFull}`,
    // Waiting helps nobody where something has to be deleted first.
    ...(problemCatalogue[problem].status !== 409 && { retryAfterSeconds: stockRetrySeconds }),
  });
}

export const isCounterName = (name: string): name is CounterName => (counterNames as readonly string[]).includes(name);

const counterId = ({ orgId }: OrganisationScope, { stock, userId }: StockKey): string =>
  [orgId, stock, ...(userId === undefined ? [] : [userId])].join('/');

const emptyCounter = (scope: OrganisationScope, key: StockKey): CounterRow => ({
  _id: counterId(scope, key),
  orgId: scope.orgId,
  userId: key.userId ?? null,
  stock: key.stock,
  used: 0,
  ceiling: null,
  changes: 0,
});
