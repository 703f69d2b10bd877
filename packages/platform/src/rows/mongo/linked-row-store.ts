import { inParts } from './in-parts.ts';
import type { LinkedStore, Reply } from './linked-store.ts';
import type { Around, RowStore, StoredRow, Write, Written } from './row-store.ts';

/** Limits the rows of one response; more are requested. */
const batchSize = 1_000;
type Batch = { readonly id: unknown; readonly firstBatch?: StoredRow[]; readonly nextBatch?: StoredRow[] };

/** Accesses a collection of the embedded store over its link. */
export class LinkedRowStore implements RowStore {
  constructor(
    private readonly store: LinkedStore,
    private readonly name: string,
  ) {}

  async find(filter: object, options: Parameters<RowStore['find']>[1]): Promise<StoredRow[]> {
    const { sort, projection, limit } = options;
    const command = {
      find: this.name,
      filter,
      ...(sort && { sort }),
      ...(projection && { projection }),
      ...(limit && { limit }),
      batchSize: limit && limit < batchSize ? limit : batchSize,
      ...(limit && limit < batchSize && { singleBatch: true }),
    };
    return this.all(await this.store.run(command, options), options);
  }

  async aggregate(pipeline: readonly object[], around: Around): Promise<StoredRow[]> {
    return this.all(await this.store.run({ aggregate: this.name, pipeline, cursor: { batchSize } }, around), around);
  }

  async insert(rows: readonly StoredRow[], around: Around): Promise<void> {
    for (const documents of inParts(rows)) {
      const command = { insert: this.name, documents, ordered: true };
      const statements = () => documents.map((document) => ({ document }));
      if (this.store.hold({ collection: this.name, kind: 'insert', command, statements }, around)) continue;
      await this.store.run(command, around);
    }
  }

  async update(writes: readonly Write[], around: Around): Promise<Written> {
    const updates = writes.map(({ filter, change, isMany, upsert }) => ({
      q: filter,
      u: change,
      ...(isMany && { multi: true }),
      ...(upsert && { upsert: true }),
    }));
    const written = { matched: 0, made: 0 };
    for (const part of inParts(updates)) {
      const command = { update: this.name, updates: part, ordered: updates.length === 1 };
      const statements = () => part.map(({ q: filter, u: updateMods, ...kind }) => ({ filter, updateMods, ...kind }));
      if (this.store.hold({ collection: this.name, kind: 'update', command, statements }, around)) continue;
      const reply = await this.store.run(command, around);
      const made = ((reply['upserted'] as unknown[] | undefined) ?? []).length;
      written.matched += (reply['n'] as number) - made;
      written.made += made;
    }
    return written;
  }

  async change(query: object, update: object, options: Parameters<RowStore['change']>[2]): Promise<StoredRow | null> {
    const { sort, projection, upsert } = options;
    const command = {
      findAndModify: this.name,
      query,
      update,
      new: true,
      ...(upsert && { upsert }),
      ...(sort && { sort }),
      ...(projection && { fields: projection }),
    };
    return (await this.store.run(command, options))['value'] as StoredRow | null;
  }

  async delete(q: object, options: Around & { readonly isMany: boolean }): Promise<number> {
    const deletes = [{ q, limit: options.isMany ? 0 : 1 }];
    const command = { delete: this.name, deletes, ordered: true };
    const statements = () => [{ filter: q, multi: options.isMany }];
    if (this.store.hold({ collection: this.name, kind: 'delete', command, statements }, options)) return 0;
    return (await this.store.run(command, options))['n'] as number;
  }

  private async all(reply: Reply, around: Around): Promise<StoredRow[]> {
    let { id, firstBatch: rows = [] } = reply['cursor'] as Batch;
    while (Number(id) !== 0) {
      const more = await this.store.run({ getMore: id, collection: this.name, batchSize }, around);
      const { id: next, nextBatch = [] } = more['cursor'] as Batch;
      rows = [...rows, ...nextBatch];
      id = next;
    }
    return rows;
  }
}
