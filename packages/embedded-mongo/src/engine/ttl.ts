import { after, inverted, keyOf, tags } from '../bson/key.ts';
import { valueOf } from '../bson/write.ts';
import { Locked } from '../storage/locks.ts';
import type { Collection } from '../storage/catalog.ts';
import type { Index } from '../storage/index-spec.ts';
import { storedDocument } from '../storage/stored-document.ts';
import type { Engine } from './context.ts';
import type { Executor, Task } from './executor.ts';

const batch = 200;

/** Bounds of the index entries that have expired: dates before a point in time, nothing else. */
function expiredRange(index: Index, before: number): { lo: Buffer; hi: Buffer } {
  const lo = Buffer.from([tags.date]);
  const hi = keyOf(valueOf(new Date(before)));
  return index.descending[0] ? { lo: after(inverted(hi))!, hi: after(inverted(lo))! } : { lo, hi };
}

function* deleteExpired(engine: Engine, collection: Collection, index: Index): Task {
  const range = expiredRange(index, Date.now() - index.expireAfterSeconds! * 1000);
  const { store } = engine;
  for (;;) {
    if (!store.catalog.isCurrent(collection) || !collection.indexes.includes(index)) break;
    const sql = `SELECT DISTINCT c.rid, c.doc FROM i${index.id} i JOIN c${collection.id} c ON c.rid = i.rid WHERE i.k >= ? AND i.k < ? LIMIT ${batch}`;
    const rows = store.sqlite.all(sql, range.lo, range.hi);
    let deleted = 0;
    for (const row of rows) {
      if (engine.slice.isOver && deleted > 0) break;
      try {
        store.direct.remove(collection, { rid: Number(row[0]), doc: storedDocument(row[1], collection.dictionary) });
        deleted++;
      } catch (error) {
        if (!(error instanceof Locked)) throw error;
      }
    }
    if (deleted === 0 || (rows.length < batch && deleted === rows.length)) break;
    yield 'later';
  }
  return Buffer.alloc(0);
}

function hasExpired(engine: Engine, collection: Collection, index: Index): boolean {
  const range = expiredRange(index, Date.now() - index.expireAfterSeconds! * 1000);
  return (
    engine.store.sqlite.get(`SELECT 1 FROM i${index.id} WHERE k >= ? AND k < ? LIMIT 1`, range.lo, range.hi) !==
      undefined && engine.store.catalog.isCurrent(collection)
  );
}

/** Starts the deletion of documents whose time is over. */
export function sweepExpired(engine: Engine, executor: Executor): void {
  for (const collection of engine.store.catalog.all()) {
    for (const index of collection.indexes) {
      if (index.expireAfterSeconds === undefined || !hasExpired(engine, collection, index)) continue;
      executor.submit(
        deleteExpired(engine, collection, index),
        { name: 'deletion of expired documents', isWrite: true, deadline: Number.POSITIVE_INFINITY },
        () => {},
      );
    }
  }
}
