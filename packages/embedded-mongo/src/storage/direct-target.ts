import { keyOf } from '../bson/key.ts';
import { idOf } from '../bson/document.ts';
import type { Value } from '../bson/value.ts';
import type { Collection } from './catalog.ts';
import type { DocumentWriter, StoredRow } from './document-writer.ts';
import { indexKeysOf } from './index-keys.ts';
import { documentLock, Locked, uniqueLock, type Locks } from './locks.ts';
import type { Sqlite } from './sqlite.ts';
import { Target } from './target.ts';

/** Reads and writes the committed state; a document that an open transaction changed makes the writer wait. */
export class DirectTarget extends Target {
  readonly sqlite: Sqlite;
  readonly version = Number.POSITIVE_INFINITY;
  private readonly writer: DocumentWriter;
  private readonly locks: Locks;

  constructor(parts: { sqlite: Sqlite; writer: DocumentWriter; locks: Locks }) {
    super();
    this.sqlite = parts.sqlite;
    this.writer = parts.writer;
    this.locks = parts.locks;
  }

  hasTable(): boolean {
    return true;
  }

  isHidden(): boolean {
    return false;
  }

  changed(): StoredRow[] {
    return [];
  }

  findById(collection: Collection, idKey: Buffer): StoredRow | undefined {
    return this.writer.findById(collection, idKey);
  }

  reread(collection: Collection, row: StoredRow): Value | undefined {
    return this.writer.findByRid(collection, row.rid);
  }

  private waitFor(lock: string): void {
    const owner = this.locks.ownerOf(lock);
    if (owner) throw new Locked(owner);
  }

  private checkLocks(collection: Collection, document: Value, id: Value): void {
    if (this.locks.isEmpty) return;
    this.waitFor(documentLock(collection.id, keyOf(id)));
    for (const index of collection.indexes) {
      if (index.id === 0 || !index.unique) continue;
      for (const key of indexKeysOf(document, index).keys) this.waitFor(uniqueLock(index.id, key));
    }
  }

  insert(collection: Collection, document: Value, id: Value): void {
    this.checkLocks(collection, document, id);
    this.writer.insert(collection, document, { id, isUnique: false });
  }

  replace(collection: Collection, row: StoredRow, after: Value): void {
    this.checkLocks(collection, after, idOf(after)!);
    this.writer.replace(collection, row, { after, isUnique: false });
  }

  remove(collection: Collection, row: StoredRow): void {
    if (!this.locks.isEmpty) this.waitFor(documentLock(collection.id, keyOf(idOf(row.doc)!)));
    this.writer.delete(collection, row);
  }
}
