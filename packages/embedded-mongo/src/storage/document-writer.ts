import { StoreError } from '../errors.ts';
import { keyOf } from '../bson/key.ts';
import { bytesOf, findField, getField, isArray, itemsOf, type Value } from '../bson/value.ts';
import type { Encodable } from '../bson/write.ts';
import { describeValue } from '../bson/describe.ts';
import { fieldAt, walkPath } from '../query/path.ts';
import type { Catalog, Collection } from './catalog.ts';
import { indexKeysOf, type IndexKeys } from './index-keys.ts';
import type { Index } from './index-spec.ts';
import type { Sqlite } from './sqlite.ts';
import { commonParts, storedBytes, storedDocument } from './stored-document.ts';

/** The dictionary of a collection is learnt when it has had so many documents, */
const learnsAt = 32;
/** from so many of them. */
const learnsFrom = 8;

/** A stored document. */
export type StoredRow = { rid: number; doc: Value };

/** The keys of a document in one index. */
export type DocumentKeys = IndexKeys & { readonly index: Index };

/** The error of a second document with the same unique key. */
export function duplicateKey(collection: Collection, index: Index, document: Value): StoreError {
  const pattern = getField(index.spec, 'key')!;
  const keyValue: Record<string, Encodable> = {};
  for (const path of index.paths) {
    let value = fieldAt(document, path);
    if (value === undefined)
      walkPath(document, { path, expandsLeaf: false, visit: (found) => ((value = found), found !== undefined) });
    keyValue[path.text] = isArray(value) ? (itemsOf(value)[0] ?? null) : (value ?? null);
  }
  const shown = Object.entries(keyValue)
    .map(([name, value]) => `${name}: ${describeValue(value as Value | null)}`)
    .join(', ');
  const message = `E11000 duplicate key error collection: ${collection.database}.${collection.name} index: ${index.name} dup key: { ${shown} }`;
  const error = new StoreError('DuplicateKey', message);
  error.extra = { keyPattern: pattern, keyValue };
  return error;
}

/** Whether an index may hold other keys after a change: a document of a thousand keys is mostly changed elsewhere. */
function mayDiffer(index: Index, before: Value, after: Value): boolean {
  if (index.partial !== undefined) return true;
  return index.paths.some(({ parts }) => {
    const [one, other] = [findField(before, parts[0]!.name), findField(after, parts[0]!.name)];
    if (one === undefined || other === undefined) return one !== other;
    return one.type !== other.type || !bytesOf(one).equals(bytesOf(other));
  });
}

/** The keys that are not among the others, in the time that both together take. */
function without(keys: readonly Buffer[], others: readonly Buffer[]): Buffer[] {
  const known = new Set(others.map((key) => key.toString('latin1')));
  return keys.filter((key) => !known.has(key.toString('latin1')));
}

/**
 * Keeps documents and the side tables of their indexes in step. Checks come before the first write, so a refusal leaves
 * no trace.
 */
export class DocumentWriter {
  readonly sqlite: Sqlite;
  private readonly catalog: Catalog;

  constructor(sqlite: Sqlite, catalog: Catalog) {
    this.sqlite = sqlite;
    this.catalog = catalog;
  }

  findById(collection: Collection, idKey: Buffer): StoredRow | undefined {
    const row = this.sqlite.get(`SELECT rid, doc FROM c${collection.id} WHERE k = ?`, idKey);
    return row && { rid: Number(row[0]), doc: storedDocument(row[1], collection.dictionary) };
  }

  findByRid(collection: Collection, rid: number): Value | undefined {
    const row = this.sqlite.get(`SELECT doc FROM c${collection.id} WHERE rid = ?`, rid);
    return row && storedDocument(row[0], collection.dictionary);
  }

  /** Row that holds a unique key, if any other than this one. */
  holderOf(index: Index, key: Buffer, except: number): number | undefined {
    const row = this.sqlite.get(
      `SELECT rid FROM i${index.id} WHERE k >= ? AND k <= ? AND rid <> ? LIMIT 1`,
      key,
      key,
      except,
    );
    return row && Number(row[0]);
  }

  /** What a document puts into the indexes of its collection, or into some of them. */
  keysOf(collection: Collection, document: Value, indexes = collection.indexes.slice(1)): DocumentKeys[] {
    return indexes.map((index) => ({ index, ...indexKeysOf(document, index) }));
  }

  /** Checks the unique ones of a document's keys, unless that was done before. */
  private planKeys(
    collection: Collection,
    document: Value,
    checked: { rid: number; isUnique: boolean; indexes?: Index[] },
  ): DocumentKeys[] {
    const plans = this.keysOf(collection, document, checked.indexes);
    for (const { index, keys, multikey } of plans) {
      if (index.unique && !checked.isUnique)
        for (const key of keys)
          if (this.holderOf(index, key, checked.rid) !== undefined) throw duplicateKey(collection, index, document);
      this.catalog.widenMultikey(index, multikey);
    }
    return plans;
  }

  insert(
    collection: Collection,
    document: Value,
    { id, stored, isUnique }: { id: Value; stored?: Buffer | undefined; isUnique: boolean },
  ): void {
    const plans = this.planKeys(collection, document, { rid: -1, isUnique });
    const inserted = this.sqlite.run(
      `INSERT INTO c${collection.id}(k, doc) VALUES (?, ?) ON CONFLICT DO NOTHING`,
      keyOf(id),
      stored ?? storedBytes(document, collection.dictionary),
    );
    if (inserted.changes === 0)
      throw isUnique
        ? new Error('a locked document was inserted by somebody else')
        : duplicateKey(collection, collection.indexes[0]!, document);
    for (const { index, keys } of plans) {
      for (const key of keys) this.sqlite.run(`INSERT INTO i${index.id}(k, rid) VALUES (?, ?)`, key, inserted.rowid);
    }
    if (collection.dictionary.bytes === undefined && inserted.rowid >= learnsAt) this.learn(collection);
  }

  /** From here on documents of the collection are deflated by what its newest ones have in common. */
  private learn(collection: Collection): void {
    const rows = this.sqlite.all(`SELECT doc FROM c${collection.id} ORDER BY rid DESC LIMIT ${learnsFrom}`);
    const samples = rows.map((row) => storedDocument(row[0], collection.dictionary));
    this.catalog.keepDictionary(collection, commonParts(samples));
  }

  /** Writes a new version of a document; its `_id` stays. */
  replace(
    collection: Collection,
    before: StoredRow,
    { after, stored, isUnique }: { after: Value; stored?: Buffer | undefined; isUnique: boolean },
  ): void {
    const indexes = collection.indexes.slice(1).filter((index) => mayDiffer(index, before.doc, after));
    const plans = this.planKeys(collection, after, { rid: before.rid, isUnique, indexes });
    for (const { index, keys } of plans) {
      const old = indexKeysOf(before.doc, index).keys;
      for (const key of without(old, keys))
        this.sqlite.run(`DELETE FROM i${index.id} WHERE k = ? AND rid = ?`, key, before.rid);
      for (const key of without(keys, old))
        this.sqlite.run(`INSERT INTO i${index.id}(k, rid) VALUES (?, ?)`, key, before.rid);
    }
    this.sqlite.run(
      `UPDATE c${collection.id} SET doc = ? WHERE rid = ?`,
      stored ?? storedBytes(after, collection.dictionary),
      before.rid,
    );
  }

  delete(collection: Collection, row: StoredRow): void {
    for (const index of collection.indexes.slice(1)) {
      for (const key of indexKeysOf(row.doc, index).keys)
        this.sqlite.run(`DELETE FROM i${index.id} WHERE k = ? AND rid = ?`, key, row.rid);
    }
    this.sqlite.run(`DELETE FROM c${collection.id} WHERE rid = ?`, row.rid);
  }

  /** Fills a new index from the documents that are there. */
  fillIndex(collection: Collection, index: Index): void {
    let last = 0;
    for (;;) {
      const rows = this.sqlite.all(`SELECT rid, doc FROM c${collection.id} WHERE rid > ? ORDER BY rid LIMIT 500`, last);
      if (rows.length === 0) return;
      for (const row of rows)
        this.indexOne(collection, index, { rid: Number(row[0]), doc: storedDocument(row[1], collection.dictionary) });
      last = Number(rows.at(-1)![0]);
    }
  }

  private indexOne(collection: Collection, index: Index, row: StoredRow): void {
    const { keys, multikey } = indexKeysOf(row.doc, index);
    this.catalog.widenMultikey(index, multikey);
    for (const key of keys) {
      if (index.unique && this.holderOf(index, key, row.rid) !== undefined)
        throw duplicateKey(collection, index, row.doc);
      this.sqlite.run(`INSERT INTO i${index.id}(k, rid) VALUES (?, ?)`, key, row.rid);
    }
  }
}
