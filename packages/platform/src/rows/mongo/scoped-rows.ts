import { Problem } from '@parley/protocol';
import { mongo, type ClientSession } from 'mongoose';
import type { Collection, RowOf } from './collection.ts';
import { isDuplicateKey } from './duplicate-key.ts';
import { markOfCommand } from './freeing.ts';
import type { Memory } from './memory.ts';
import { pageOfRows, type Page, type PageOptions, type PageQuery } from './page.ts';
import type { Change, Filter, Sort } from './query.ts';

/** One tenant's rows of a collection, in one transaction or none. */
export type Reach<Row> = {
  readonly definition: Collection;
  readonly rows: mongo.Collection<Row & mongo.Document>;
  /** What the rows of this tenant have in common. */
  readonly own: Readonly<Record<string, unknown>>;
  readonly session: ClientSession | undefined;
  /** Told of each write. */
  readonly memory: Memory | null;
};
type IdOf<Row> = '_id' extends keyof Row ? Row['_id'] : never;
/** Rows that one command changes where any number may fit (ADR 0032). */
const rowsPerBatch = 200;
type FindOptions<Row> = { readonly sort?: Sort<Row>; readonly limit?: number };

/**
 * The rows that a scope may touch: nothing else is read, changed or deleted, whatever the filter says, and another
 * tenant's row cannot be inserted. What is read comes without the keys of the definition.
 */
export class ScopedRows<Row, Read = Row> {
  constructor(private readonly reach: Reach<Row>) {}

  find(filter: Filter<Row>, options?: FindOptions<Row>): Promise<Read[]>;
  /** Reads only these fields, and the id. */
  find<Field extends keyof Row>(
    filter: Filter<Row>,
    options: FindOptions<Row> & { readonly fields: readonly Field[] },
  ): Promise<Pick<Row, Field | Extract<keyof Row, '_id'>>[]>;
  async find(
    filter: Filter<Row>,
    { sort, limit, fields }: FindOptions<Row> & { readonly fields?: readonly (keyof Row)[] } = {},
  ): Promise<unknown[]> {
    const found = this.reach.rows.find(this.mine(filter), {
      ...this.options,
      sort: sort as mongo.Sort,
      limit,
      projection: fields ? Object.fromEntries(fields.map((field) => [field, 1])) : this.withoutKeys,
    });
    return found.toArray();
  }

  /** The first row that fits, or null. */
  async findOne(filter: Filter<Row>, { sort }: { readonly sort?: Sort<Row> } = {}): Promise<Read | null> {
    const found = await this.reach.rows.findOne(this.mine(filter), {
      ...this.options,
      sort: sort as mongo.Sort,
      projection: this.withoutKeys,
    });
    return found as Read | null;
  }

  /** Null when there is none, or when it is another tenant's. */
  findById(id: IdOf<Row>): Promise<Read | null> {
    return this.findOne({ _id: id } as unknown as Filter<Row>);
  }

  async exists(filter: Filter<Row>): Promise<boolean> {
    return (await this.find(filter, { limit: 1, fields: ['_id' as keyof Row] })).length > 0;
  }

  /** With a limit it counts no further. */
  count(filter: Filter<Row>, { limit }: { readonly limit?: number } = {}): Promise<number> {
    return this.reach.rows.countDocuments(this.mine(filter), { ...this.options, limit });
  }

  /** How many rows fit, by what they have in these fields: nothing of what none has. */
  async countBy<Field extends keyof Row & string>(
    filter: Filter<Row>,
    fields: readonly Field[],
  ): Promise<{ readonly of: Partial<Pick<Row, Field>>; readonly count: number }[]> {
    const _id = Object.fromEntries(fields.map((field) => [field, `$${field}`]));
    const stages = [{ $match: this.mine(filter) }, { $group: { _id, count: { $sum: 1 } } }];
    const groups = this.reach.rows.aggregate<{ _id: Partial<Pick<Row, Field>>; count: number }>(stages, this.options);
    return (await groups.toArray()).map((group) => ({ of: group._id, count: group.count }));
  }

  /** The sums of these fields of all rows that fit; a field that a row lacks counts nothing. */
  async sum<Field extends keyof Row & string>(
    filter: Filter<Row>,
    fields: readonly Field[],
  ): Promise<Record<Field, number>> {
    const sums = Object.fromEntries(fields.map((field) => [field, { $sum: `$${field}` }]));
    const stages = [{ $match: this.mine(filter) }, { $group: { _id: null, ...sums } }];
    const [found] = await this.reach.rows.aggregate<Record<Field, number>>(stages, this.options).toArray();
    return Object.fromEntries(fields.map((field) => [field, found?.[field] ?? 0])) as Record<Field, number>;
  }

  /** One page of a list, newest or first in `by`; see `pageOfRows`. */
  page<Item>(query: PageQuery, options: PageOptions<Row, Item, Read>): Promise<Page<Item>> {
    return pageOfRows({ rows: this, definition: this.reach.definition }, query, options);
  }

  /** Refuses a row that does not fit the definition or is another tenant's. */
  async insert(row: Row): Promise<void> {
    const checked = this.checked(row);
    await this.write((rows) => rows.insertOne(checked, this.options));
  }

  /** All or none; see `insert`. */
  async insertMany(rows: readonly Row[]): Promise<void> {
    if (rows.length === 0) return;
    const checked = rows.map((row) => this.checked(row));
    await this.write((all) => all.insertMany(checked, this.options));
  }

  /**
   * Inserts the row, or returns what is there when the call is repeated: the same id of the same tenant. Somebody
   * else's row with this id is `platform.conflict`.
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

  /** Inserts the row unless one fits, in one command; a unique index has to say that one at most can fit. False: one did. */
  async insertUnless(filter: Filter<Row>, row: Row): Promise<boolean> {
    const checked = this.checked(row) as Record<string, unknown>;
    const { own } = this.reach;
    const fields = Object.entries(checked).filter(([field]) => !(field in own) && !(field in filter));
    const change = { $setOnInsert: Object.fromEntries(fields) } as unknown as Change<Row>;
    const options = { ...this.options, upsert: true };
    const done = await this.write((rows) => rows.updateOne(this.mine(filter), this.within(change), options));
    return done.upsertedCount === 1;
  }

  /** Inserts those of many rows whose ids are new, in two commands, and returns those that were there; in a transaction. */
  async insertNew(rows: readonly Row[]): Promise<Read[]> {
    const known = await this.find({ _id: { $in: rows.map(idOf) } } as unknown as Filter<Row>);
    const ids = new Set<unknown>(known.map((row) => idOf(row)));
    const unknown = rows.filter((row) => !ids.has(idOf(row)));
    try {
      await this.insertMany(unknown);
    } catch (error) {
      // The driver doesn't say which index refused one of many rows.
      if (!isDuplicateKey(error)) throw error;
      await this.afterDuplicate(unknown.map(idOf), error);
    }
    return known;
  }

  /** False when no row fits. */
  async update(filter: Filter<Row>, change: Change<Row>): Promise<boolean> {
    const result = await this.write((rows) => rows.updateOne(this.mine(filter), this.within(change), this.options));
    return result.matchedCount === 1;
  }

  /** How many rows fit. */
  async updateMany(filter: Filter<Row>, change: Change<Row>): Promise<number> {
    const result = await this.write((rows) => rows.updateMany(this.mine(filter), this.within(change), this.options));
    return result.matchedCount;
  }

  /**
   * Changes all rows that fit, in batches and outside of a transaction, so that any number may fit. The change has to take
   * a row out of the filter. Rows stay as they are where the process ends meanwhile.
   */
  async updateInBatches(filter: Filter<Row>, change: Change<Row>): Promise<void> {
    for await (const some of this.batches(filter)) await this.updateMany(some, change);
  }

  /** Deletes all rows that fit; see `updateInBatches`. */
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

  /** Each change for itself, in one call and in no order. */
  async updateEach(changes: readonly { readonly filter: Filter<Row>; readonly change: Change<Row> }[]): Promise<void> {
    if (changes.length === 0) return;
    const writes = changes.map(({ filter, change }) => ({
      updateOne: { filter: this.mine(filter), update: this.within(change) },
    }));
    await this.write((rows) => rows.bulkWrite(writes, { ...this.options, ordered: false }));
  }

  /**
   * Changes the first row that fits, and returns it as it is afterwards; null when none fits. With `isMade`, one is made
   * then, see `upsert`.
   */
  async change(
    filter: Filter<Row>,
    change: Change<Row>,
    { sort, isMade = false }: { readonly sort?: Sort<Row>; readonly isMade?: boolean } = {},
  ): Promise<Read | null> {
    const changed = await this.write((rows) =>
      rows.findOneAndUpdate(this.mine(filter), this.within(change), {
        ...this.options,
        sort: sort as mongo.Sort,
        upsert: isMade,
        projection: this.withoutKeys,
        returnDocument: 'after',
      }),
    );
    return changed as Read | null;
  }

  /** Changes the row that fits, or makes it of the filter and the change; the definition does not check what it makes. */
  async upsert(filter: Filter<Row>, change: Change<Row>): Promise<void> {
    const options = { ...this.options, upsert: true };
    await this.write((rows) => rows.updateOne(this.mine(filter), this.within(change), options));
  }

  /** Each for itself, in one call and in no order; see `upsert`. */
  async upsertEach(changes: readonly { readonly filter: Filter<Row>; readonly change: Change<Row> }[]): Promise<void> {
    if (changes.length === 0) return;
    const writes = changes.map(({ filter, change }) => ({
      updateOne: { filter: this.mine(filter), update: this.within(change), upsert: true },
    }));
    await this.write((rows) => rows.bulkWrite(writes, { ...this.options, ordered: false }));
  }

  /** False when no row fits. */
  async delete(filter: Filter<Row>): Promise<boolean> {
    return (await this.write((rows) => rows.deleteOne(this.mine(filter), this.options))).deletedCount === 1;
  }

  /** How many rows are gone. */
  async deleteMany(filter: Filter<Row>): Promise<number> {
    return (await this.write((rows) => rows.deleteMany(this.mine(filter), this.options))).deletedCount;
  }

  private write<Result>(act: (rows: Reach<Row>['rows']) => Promise<Result>): Promise<Result> {
    const { memory, rows, session } = this.reach;
    return memory ? memory.write(session, () => act(rows)) : act(rows);
  }

  private get options(): { session?: ClientSession; comment?: string } {
    return { ...(this.reach.session && { session: this.reach.session }), ...markOfCommand() };
  }

  /** What every read leaves where it is; undefined where there is nothing to leave. */
  private get withoutKeys(): Readonly<Record<string, 0>> | undefined {
    const { keys } = this.reach.definition;
    return keys.length === 0 ? undefined : Object.fromEntries(keys.map((key) => [key, 0]));
  }

  /** The filter and the tenant's; where both name a field, both count. */
  private mine(filter: Filter<Row>): mongo.Filter<Row & mongo.Document> {
    const { own } = this.reach;
    const isApart = Object.keys(own).every((field) => !(field in filter));
    return (isApart ? { ...own, ...filter } : { $and: [own, filter] }) as mongo.Filter<Row & mongo.Document>;
  }

  private checked(row: Row): mongo.OptionalUnlessRequiredId<Row & mongo.Document> {
    const { definition, own } = this.reach;
    const checked = definition.row.parse(row) as RowOf<Collection> & Record<string, unknown>;
    for (const [field, value] of Object.entries(own))
      if (checked[field] !== value) throw new Error(`This row of ${definition.name} belongs to another tenant.`);
    return checked as unknown as mongo.OptionalUnlessRequiredId<Row & mongo.Document>;
  }

  /** A row stays its tenant's. What is undefined is left as it is. */
  private within(change: Change<Row>): mongo.UpdateFilter<Row & mongo.Document> {
    const { tenant, name } = this.reach.definition;
    const fields = tenant === 'platform' ? [] : Object.values(tenant);
    if (fields.some((field) => field in { ...change.$set, ...change.$setOnInsert }))
      throw new Error(`A row of ${name} cannot be given to another tenant.`);
    const set =
      change.$set && Object.fromEntries(Object.entries(change.$set).filter(([, value]) => value !== undefined));
    return { ...change, ...(set && { $set: set }) } as unknown as mongo.UpdateFilter<Row & mongo.Document>;
  }

  /** The row that somebody inserted meanwhile. A transaction has ended with the refusal: run again, it finds the row. */
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
