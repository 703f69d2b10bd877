import { Problem } from '@parley/protocol';
import { mongo } from 'mongoose';
import { isDuplicateKey } from './duplicate-key.ts';
import { markOfCommand } from './freeing.ts';
import { pageOfRows, type FieldPage, type Page, type PageOptions, type PageQuery } from './page.ts';
import type { Change, Filter, Sort } from './query.ts';
import type { Reach } from './reach.ts';
import type { Around, RowStore, StoredRow, Write, Written } from './row-store.ts';

type IdOf<Row> = '_id' extends keyof Row ? Row['_id'] : never;
/** Limits the rows that one command changes if any number can match (ADR 0032). */
const rowsPerBatch = 200;
type ChangeOf<Row> = Omit<Write, 'filter' | 'change'> & { readonly filter: Filter<Row>; readonly change: Change<Row> };
type LaterRows<Row> = Pick<ScopedRows<Row>, 'insertMany' | 'updateEach' | 'upsert' | 'upsertEach'> & {
  deleteMany(filter: Filter<Row>): Promise<unknown>;
};
type FindOptions<Row> = { readonly sort?: Sort<Row>; readonly limit?: number };

/**
 * The rows of a scope: other rows aren't read, changed or deleted, whatever the filter says, and another tenant's row
 * can't be inserted. Reads leave out the keys of the definition.
 */
export class ScopedRows<Row, Read = Row> {
  constructor(private readonly reach: Reach) {}

  /**
   * Returns the same rows for deferred writes: the store can send them with later writes of the transaction, mostly as
   * one command. They are sent at the latest before the transaction runs another command on this collection or commits,
   * and a refused write throws there. Callers must not change the given rows, filters or changes until then.
   */
  get later(): LaterRows<Row> {
    return new ScopedRows<Row>({ ...this.reach, isLater: true });
  }

  find(filter: Filter<Row>, options?: FindOptions<Row>): Promise<Read[]>;
  /** Returns the rows that match. With `fields`, reads only these fields, and the id. */
  find<Field extends keyof Row>(
    filter: Filter<Row>,
    options: FindOptions<Row> & { readonly fields: readonly Field[] },
  ): Promise<Pick<Row, Field | Extract<keyof Row, '_id'>>[]>;
  async find(
    filter: Filter<Row>,
    { sort, limit, fields }: FindOptions<Row> & { readonly fields?: readonly (keyof Row)[] } = {},
  ): Promise<unknown[]> {
    return this.reach.store.find(this.mine(filter), {
      ...this.around,
      sort,
      limit,
      projection: fields ? Object.fromEntries(fields.map((field) => [field, 1])) : this.withoutKeys,
    });
  }

  /** Returns the first row that matches, or null. */
  async findOne(filter: Filter<Row>, { sort }: { readonly sort?: Sort<Row> } = {}): Promise<Read | null> {
    const options = { ...this.around, sort, limit: 1, projection: this.withoutKeys };
    const [found = null] = await this.reach.store.find(this.mine(filter), options);
    return found as Read | null;
  }

  /** Returns the row; null if there is none, or if it is another tenant's. */
  findById(id: IdOf<Row>): Promise<Read | null> {
    return this.findOne({ _id: id } as unknown as Filter<Row>);
  }

  async exists(filter: Filter<Row>): Promise<boolean> {
    return (await this.find(filter, { limit: 1, fields: ['_id' as keyof Row] })).length > 0;
  }

  /** Counts the rows that match, up to the limit. */
  async count(filter: Filter<Row>, { limit }: { readonly limit?: number } = {}): Promise<number> {
    const limits = limit === undefined ? [] : [{ $limit: limit }];
    const stages = [{ $match: this.mine(filter) }, ...limits, { $group: { _id: null, count: { $sum: 1 } } }];
    const [counted] = await this.reach.store.aggregate(stages, this.around);
    return (counted?.['count'] as number | undefined) ?? 0;
  }

  /** Counts rows by their values in these fields. Values that no row has are left out. */
  async countBy<Field extends keyof Row & string>(
    filter: Filter<Row>,
    fields: readonly Field[],
  ): Promise<{ readonly of: Partial<Pick<Row, Field>>; readonly count: number }[]> {
    const _id = Object.fromEntries(fields.map((field) => [field, `$${field}`]));
    const stages = [{ $match: this.mine(filter) }, { $group: { _id, count: { $sum: 1 } } }];
    const groups = await this.reach.store.aggregate(stages, this.around);
    return (groups as { _id: Partial<Pick<Row, Field>>; count: number }[]).map(({ _id: of, count }) => ({ of, count }));
  }

  /** Adds up these fields of all rows that match; a missing field counts as 0. */
  async sum<Field extends keyof Row & string>(
    filter: Filter<Row>,
    fields: readonly Field[],
  ): Promise<Record<Field, number>> {
    const sums = Object.fromEntries(fields.map((field) => [field, { $sum: `$${field}` }]));
    const stages = [{ $match: this.mine(filter) }, { $group: { _id: null, ...sums } }];
    const [found] = (await this.reach.store.aggregate(stages, this.around)) as Record<Field, number>[];
    return Object.fromEntries(fields.map((field) => [field, found?.[field] ?? 0])) as Record<Field, number>;
  }

  /** Returns one page of a list in the order of `by`; see `pageOfRows`. */
  page<Item, Field extends keyof Row>(query: PageQuery, options: FieldPage<Row, Item, Field>): Promise<Page<Item>>;
  page<Item>(query: PageQuery, options: PageOptions<Row, Item, Read>): Promise<Page<Item>>;
  page<Item>(query: PageQuery, options: PageOptions<Row, Item, never>): Promise<Page<Item>> {
    const rows = this as Pick<ScopedRows<Row, never>, 'find'>;
    return pageOfRows({ rows, definition: this.reach.definition }, query, options);
  }

  /** Inserts a row. Refuses a row that doesn't match the definition or is another tenant's. */
  async insert(row: Row): Promise<void> {
    const checked = this.checked(row);
    await this.write((store) => store.insert([checked], this.around));
  }

  /** Inserts all rows or none; see `insert`. */
  async insertMany(rows: readonly Row[]): Promise<void> {
    if (rows.length === 0) return;
    const checked = rows.map((row) => this.checked(row));
    await this.write((store) => store.insert(checked, this.around));
  }

  /**
   * Inserts the row, or returns the existing one if the call is repeated: same id and tenant. `platform.conflict` for
   * another tenant's row with this id.
   */
  async insertOnce(row: Row): Promise<{ readonly row: Read; readonly isNew: boolean }> {
    const known = await this.findById(idOf(row));
    if (known) return { row: known, isNew: false };
    try {
      await this.insert(row);
      return { row: row as unknown as Read, isNew: true };
    } catch (error) {
      if (!isDuplicateKey(error, '_id')) throw error;
      return { row: await this.afterDuplicate([idOf(row)], error), isNew: false };
    }
  }

  /**
   * Inserts the row unless a row matches the filter, in one command. Returns false if one matches. A unique index must
   * allow one match only.
   */
  async insertUnless(filter: Filter<Row>, row: Row): Promise<boolean> {
    const checked = this.checked(row);
    const { own } = this.reach;
    const fields = Object.entries(checked).filter(([field]) => !(field in own) && !(field in filter));
    const change = { $setOnInsert: Object.fromEntries(fields) } as unknown as Change<Row>;
    return (await this.writeAll([{ filter, change, upsert: true }])).made === 1;
  }

  /** Inserts the rows whose ids are new, in two commands, and returns the rows that existed. Only in a transaction. */
  async insertNew(rows: readonly Row[]): Promise<Read[]> {
    const known = await this.find({ _id: { $in: rows.map(idOf) } } as unknown as Filter<Row>);
    const ids = new Set<unknown>(known.map((row) => idOf(row)));
    const unknown = rows.filter((row) => !ids.has(idOf(row)));
    try {
      await this.insertMany(unknown);
    } catch (error) {
      // Continues after any duplicate key, because the driver doesn't say which index refused one of many rows.
      if (!isDuplicateKey(error)) throw error;
      await this.afterDuplicate(unknown.map(idOf), error);
    }
    return known;
  }

  /** Changes the first row that matches. Returns false if no row matches. */
  async update(filter: Filter<Row>, change: Change<Row>): Promise<boolean> {
    return (await this.writeAll([{ filter, change }])).matched === 1;
  }

  /** Changes all rows that match, and returns their number. */
  async updateMany(filter: Filter<Row>, change: Change<Row>): Promise<number> {
    return (await this.writeAll([{ filter, change, isMany: true }])).matched;
  }

  /**
   * Changes all rows that match, in batches and outside of a transaction, so that any number can match. The change must
   * make a row stop matching the filter. If the process ends meanwhile, the other rows stay as they are.
   */
  async updateInBatches(filter: Filter<Row>, change: Change<Row>): Promise<void> {
    for await (const some of this.batches(filter)) await this.updateMany(some, change);
  }

  /** Deletes all rows that match; see `updateInBatches`. */
  async deleteInBatches(filter: Filter<Row>): Promise<void> {
    for await (const some of this.batches(filter)) await this.deleteMany(some);
  }

  private async *batches(filter: Filter<Row>): AsyncGenerator<Filter<Row>> {
    for (let isMore = true; isMore;) {
      const some = await this.find(filter, { limit: rowsPerBatch, fields: ['_id' as keyof Row] });
      const _id = { $in: (some as unknown as { _id: IdOf<Row> }[]).map((row) => row._id) };
      if (some.length > 0) yield { ...filter, _id } as unknown as Filter<Row>;
      isMore = some.length === rowsPerBatch;
    }
  }

  /** Applies each change separately, in one call and in no order. */
  async updateEach(changes: readonly { readonly filter: Filter<Row>; readonly change: Change<Row> }[]): Promise<void> {
    if (changes.length > 0) await this.writeAll(changes);
  }

  /** Changes the first row that matches and returns it; null if none does. `upsert` then creates the row. */
  async change(
    filter: Filter<Row>,
    change: Change<Row>,
    { sort, upsert = false }: { readonly sort?: Sort<Row>; readonly upsert?: boolean } = {},
  ): Promise<Read | null> {
    const options = { ...this.around, sort, upsert, projection: this.withoutKeys };
    const changed = await this.write((store) => store.change(this.mine(filter), this.within(change), options));
    return changed as Read | null;
  }

  /** Changes the row that matches, or creates it from the filter and the change, without a check by the definition. */
  async upsert(filter: Filter<Row>, change: Change<Row>): Promise<void> {
    await this.writeAll([{ filter, change, upsert: true }]);
  }

  /** Applies each change separately, in one call and in no order; see `upsert`. */
  async upsertEach(changes: readonly { readonly filter: Filter<Row>; readonly change: Change<Row> }[]): Promise<void> {
    if (changes.length > 0) await this.writeAll(changes.map((each) => ({ ...each, upsert: true })));
  }

  /** Deletes the first row that matches. Returns false if no row matches. */
  async delete(filter: Filter<Row>): Promise<boolean> {
    return (await this.remove(filter, false)) === 1;
  }

  /** Deletes all rows that match, and returns their number. */
  deleteMany(filter: Filter<Row>): Promise<number> {
    return this.remove(filter, true);
  }

  private remove(filter: Filter<Row>, isMany: boolean): Promise<number> {
    return this.write((store) => store.delete(this.mine(filter), { ...this.around, isMany }));
  }

  private writeAll(changes: readonly ChangeOf<Row>[]): Promise<Written> {
    const writes = changes.map((each) => ({
      ...each,
      filter: this.mine(each.filter),
      change: this.within(each.change),
    }));
    return this.write((store) => store.update(writes, this.around));
  }

  private write<Result>(act: (store: RowStore) => Promise<Result>): Promise<Result> {
    const { memory, store, session } = this.reach;
    return memory ? memory.write(session, () => act(store)) : act(store);
  }

  private get around(): Around {
    const { session, isLater } = this.reach;
    return { session, isLater, ...markOfCommand() };
  }

  /** The fields that every read leaves out; undefined for none. */
  private get withoutKeys(): Readonly<Record<string, 0>> | undefined {
    const { keys } = this.reach.definition;
    return keys.length === 0 ? undefined : Object.fromEntries(keys.map((key) => [key, 0]));
  }

  /** Returns the filter combined with the tenant's; if both name a field, both conditions apply. */
  private mine(filter: Filter<Row>): StoredRow {
    const { own } = this.reach;
    const isApart = Object.keys(own).every((field) => !(field in filter));
    return isApart ? { ...own, ...filter } : { $and: [own, filter] };
  }

  private checked(row: Row): StoredRow {
    const { definition, own } = this.reach;
    const checked = definition.row.parse(row) as StoredRow;
    for (const [field, value] of Object.entries(own))
      if (checked[field] !== value) throw new Error(`This row of ${definition.name} belongs to another tenant.`);
    return checked;
  }

  /** Drops undefined fields, which stay as they are. Throws if a change would give the row to another tenant. */
  private within(change: Change<Row>): StoredRow {
    const { tenant, name } = this.reach.definition;
    const fields = tenant === 'platform' ? [] : Object.values(tenant);
    if (fields.some((field) => field in { ...change.$set, ...change.$setOnInsert }))
      throw new Error(`A row of ${name} cannot be given to another tenant.`);
    const set =
      change.$set && Object.fromEntries(Object.entries(change.$set).filter(([, value]) => value !== undefined));
    return { ...change, ...(set && { $set: set }) };
  }

  /**
   * Returns the row that another call inserted meanwhile. In a transaction it throws instead, because the refusal has
   * ended the transaction, which finds the row when it runs again.
   */
  private async afterDuplicate(ids: readonly IdOf<Row>[], error: unknown): Promise<Read> {
    const committed = new ScopedRows<Row, Read>({ ...this.reach, session: undefined });
    const known = await committed.findOne({ _id: { $in: ids } } as unknown as Filter<Row>);
    if (!known) throw new Problem('platform.conflict', {}, { cause: error });
    if (!this.reach.session) return known;
    if (error instanceof mongo.MongoError) error.addErrorLabel('TransientTransactionError');
    throw error;
  }
}

const idOf = <Row>(row: Row): IdOf<Row> => (row as { _id: IdOf<Row> })._id;
