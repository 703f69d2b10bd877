import type { ClientSession, mongo } from 'mongoose';
import type { Around, RowStore, StoredRow, Write, Written } from './row-store.ts';
import { StoreSession } from './store-session.ts';

/** A transaction of the MongoDB driver. */
export class DriverSession extends StoreSession {
  private readonly endings: (() => void)[] = [];

  constructor(readonly client: ClientSession) {
    super();
    client.once('ended', () => this.endings.forEach((act) => act()));
  }

  whenEnded(act: () => void): void {
    this.endings.push(act);
  }

  /** None waits. */
  async sendHeld(): Promise<void> {}
}

/** Accesses a collection through the MongoDB driver. */
export class DriverRowStore implements RowStore {
  constructor(private readonly rows: mongo.Collection<StoredRow>) {}

  find(filter: object, { session, comment, sort, projection, limit }: Parameters<RowStore['find']>[1]) {
    const options = { ...around({ session, comment }), sort: sort as mongo.Sort, limit, projection };
    return this.rows.find(filter, options).toArray();
  }

  aggregate(stages: readonly object[], options: Around): Promise<StoredRow[]> {
    return this.rows.aggregate<StoredRow>([...stages] as mongo.Document[], around(options)).toArray();
  }

  async insert(rows: readonly StoredRow[], options: Around): Promise<void> {
    const [first] = rows;
    if (rows.length === 1) await this.rows.insertOne(first!, around(options));
    else await this.rows.insertMany([...rows], around(options));
  }

  async update(writes: readonly Write[], options: Around): Promise<Written> {
    const [first] = writes;
    if (writes.length > 1) return this.updateEach(writes, options);
    const { filter, change, isMany = false, upsert = false } = first!;
    const settings = { ...around(options), upsert };
    const done = isMany
      ? await this.rows.updateMany(filter, change, settings)
      : await this.rows.updateOne(filter, change, settings);
    return { matched: done.matchedCount, made: done.upsertedCount };
  }

  private async updateEach(writes: readonly Write[], options: Around): Promise<Written> {
    const each = writes.map(({ filter, change, isMany = false, upsert = false }) => {
      const write = { filter, update: change, upsert };
      return isMany ? { updateMany: write } : { updateOne: write };
    });
    const done = await this.rows.bulkWrite(each, { ...around(options), ordered: false });
    return { matched: done.matchedCount, made: done.upsertedCount };
  }

  change(filter: object, change: object, { sort, projection, upsert, ...options }: Parameters<RowStore['change']>[2]) {
    return this.rows.findOneAndUpdate(filter, change, {
      ...around(options),
      sort: sort as mongo.Sort,
      projection,
      upsert,
      returnDocument: 'after',
    });
  }

  async delete(filter: object, { isMany, ...options }: Around & { readonly isMany: boolean }): Promise<number> {
    const done = isMany
      ? await this.rows.deleteMany(filter, around(options))
      : await this.rows.deleteOne(filter, around(options));
    return done.deletedCount;
  }
}

function around({ session, comment }: Around): { session?: ClientSession; comment?: string } {
  if (session && !(session instanceof DriverSession)) throw new Error('This transaction is of another store.');
  return { ...(session && { session: session.client }), ...(comment && { comment }) };
}
