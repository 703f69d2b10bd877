import { idOf } from '../bson/document.ts';
import { keyOf } from '../bson/key.ts';
import { bytesOf, type Value } from '../bson/value.ts';
import { checkCollectionName, type Catalog, type Collection } from './catalog.ts';
import { duplicateKey, type DocumentKeys, type DocumentWriter, type StoredRow } from './document-writer.ts';
import { idIndex, type Index } from './index-spec.ts';
import { documentLock, uniqueLock, type LockOwner, type Locks } from './locks.ts';
import type { Sqlite } from './sqlite.ts';
import { deflated, storedDocument, type Deflated } from './stored-document.ts';
import { Target } from './target.ts';
import { noSuchTransaction, writeConflict } from './transaction-errors.ts';

/** What a transaction did to one document. */
type Entry = {
  before: StoredRow | undefined;
  after: Value | undefined;
  /** The indexes that its keys were checked against. */ checked: readonly Index[];
  stored?: Deflated | undefined;
};
type Changes = { collection: Collection; entries: Map<string, Entry>; hidden: Set<number> };

/** The rest is deflated at the commit: it takes some 30 µs each, in one go. */
const mostDeflated = 32;

/**
 * A transaction: sees one state, keeps its changes in memory and locks what it touches. A document that somebody else
 * changed since it began, or holds now, is a write conflict at once. As long as nobody writes it reads what the writer
 * reads; before somebody does, it gets a connection with a WAL snapshot.
 */
export class Transaction extends Target implements LockOwner {
  readonly version: number;
  private snapshot: Sqlite | undefined;
  private isEnded = false;
  /** Its end is the next thing that happens to it: it reads no more. */
  isEnding = false;
  readonly ended: Promise<void>;
  private signalEnd: () => void = () => {};
  private readonly writer: DocumentWriter;
  private readonly locks: Locks;
  private readonly catalog: Catalog;
  private readonly changes = new Map<number, Changes>();
  private readonly uniqueKeys = new Map<string, string>();
  private readonly held = new Set<string>();
  private readonly created: Collection[] = [];
  private deflated = 0;

  constructor(parts: { writer: DocumentWriter; locks: Locks; catalog: Catalog }) {
    super();
    this.writer = parts.writer;
    this.locks = parts.locks;
    this.catalog = parts.catalog;
    this.version = parts.catalog.version;
    this.ended = new Promise((resolve) => (this.signalEnd = resolve));
  }

  private get isCurrent(): boolean {
    return this.version === this.catalog.version;
  }

  get needsSnapshot(): boolean {
    return this.snapshot === undefined && !this.isEnding;
  }

  /** Holds on to the present state, which is about to change. */
  keepSnapshot(reader: Sqlite): void {
    reader.prepare('BEGIN').run();
    reader.get('SELECT id FROM collections LIMIT 1');
    this.snapshot = reader;
  }

  /** A connection that sees the state of the beginning; a scan that goes on after the end must not read another one. */
  get sqlite(): Sqlite {
    if (this.isEnded) throw noSuchTransaction('the transaction has ended meanwhile');
    if (this.snapshot) return this.snapshot;
    if (!this.isCurrent) throw noSuchTransaction('the transaction was about to end');
    return this.writer.sqlite;
  }

  get hasChanges(): boolean {
    return this.changes.size > 0;
  }

  hasTable(collection: Collection): boolean {
    return collection.since <= this.version;
  }

  /** A collection that this transaction has made, and that nobody else sees before the commit. */
  findCreated(database: string, name: string): Collection | undefined {
    return this.created.find((collection) => collection.database === database && collection.name === name);
  }

  /** Makes a collection that becomes real with the commit. */
  create(database: string, name: string): Collection {
    checkCollectionName(name);
    this.lock(`create:${database}.${name}`);
    const collection: Collection = {
      id: -1 - this.created.length,
      database,
      name,
      uuid: Buffer.alloc(16),
      indexes: [idIndex()],
      since: Number.POSITIVE_INFINITY,
      dictionary: { bytes: undefined },
    };
    this.created.push(collection);
    return collection;
  }

  private changesOf(collection: Collection): Changes {
    let changes = this.changes.get(collection.id);
    if (!changes) {
      changes = { collection, entries: new Map(), hidden: new Set() };
      this.changes.set(collection.id, changes);
    }
    return changes;
  }

  isHidden(collection: Collection, rid: number): boolean {
    return this.changes.get(collection.id)?.hidden.has(rid) ?? false;
  }

  changed(collection: Collection): StoredRow[] {
    const entries = this.changes.get(collection.id)?.entries.values() ?? [];
    return [...entries]
      .filter((entry) => entry.after !== undefined)
      .map((entry) => ({ rid: entry.before?.rid ?? -1, doc: entry.after! }));
  }

  findById(collection: Collection, idKey: Buffer): StoredRow | undefined {
    const entry = this.changes.get(collection.id)?.entries.get(idKey.toString('latin1'));
    if (entry) return entry.after && { rid: entry.before?.rid ?? -1, doc: entry.after };
    return this.committed(collection, idKey);
  }

  private committed(collection: Collection, idKey: Buffer): StoredRow | undefined {
    if (!this.hasTable(collection)) return undefined;
    const row = this.sqlite.get(`SELECT rid, doc FROM c${collection.id} WHERE k = ?`, idKey);
    return row && { rid: Number(row[0]), doc: storedDocument(row[1], collection.dictionary) };
  }

  reread(collection: Collection, row: StoredRow): Value | undefined {
    return this.findById(collection, keyOf(idOf(row.doc)!))?.doc;
  }

  private lock(key: string): void {
    const owner = this.locks.ownerOf(key);
    if (owner === this) return;
    if (owner !== undefined) throw writeConflict();
    this.locks.take(key, this);
    this.held.add(key);
  }

  /** Locks a document and makes sure that nobody changed it since the snapshot. */
  private claim(collection: Collection, idKey: Buffer): Entry {
    const changes = this.changesOf(collection);
    const name = idKey.toString('latin1');
    const known = changes.entries.get(name);
    if (known) return known;
    if (collection.id >= 0 && !this.catalog.isCurrent(collection)) throw writeConflict();
    this.lock(documentLock(collection.id, idKey));
    const now = collection.id < 0 ? undefined : this.writer.findById(collection, idKey);
    const before = this.isCurrent ? now : this.committed(collection, idKey);
    const isUnchanged =
      before === undefined ? now === undefined : now !== undefined && bytesOf(before.doc).equals(bytesOf(now.doc));
    if (!isUnchanged) throw writeConflict();
    const entry: Entry = { before, after: before?.doc, checked: collection.indexes };
    changes.entries.set(name, entry);
    if (before) changes.hidden.add(before.rid);
    return entry;
  }

  private checkUnique(
    collection: Collection,
    document: Value,
    { owner, plans }: { owner: string; plans: DocumentKeys[] },
  ): void {
    for (const { index, keys } of plans) {
      if (!index.unique) continue;
      for (const key of keys) {
        const lock = uniqueLock(index.id, key);
        this.lock(lock);
        const mine = this.uniqueKeys.get(lock);
        if (mine !== undefined && mine !== owner) throw duplicateKey(collection, index, document);
        this.checkCommittedHolder({ collection, index, key, document });
      }
    }
  }

  private checkCommittedHolder(request: { collection: Collection; index: Index; key: Buffer; document: Value }): void {
    const { collection, index, key, document } = request;
    const holder = this.writer.holderOf(index, key, -1);
    if (holder === undefined || this.isHidden(collection, holder)) return;
    const isSeen =
      index.since <= this.version &&
      this.sqlite.get(`SELECT 1 FROM i${index.id} WHERE k = ? AND rid = ?`, key, holder) !== undefined;
    throw isSeen ? duplicateKey(collection, index, document) : writeConflict();
  }

  private freeUnique(collection: Collection, document: Value): void {
    for (const { index, keys } of this.writer.keysOf(collection, document)) {
      if (!index.unique) continue;
      for (const key of keys) {
        this.lock(uniqueLock(index.id, key));
        this.uniqueKeys.delete(uniqueLock(index.id, key));
      }
    }
  }

  /** Notes a document's new version, or its end. Its unique keys stay locked until the transaction ends. */
  private change(
    collection: Collection,
    idKey: Buffer,
    { entry, after }: { entry: Entry; after: Value | undefined },
  ): void {
    const owner = idKey.toString('latin1');
    const plans = after ? this.writer.keysOf(collection, after) : [];
    if (after) this.checkUnique(collection, after, { owner, plans });
    if (entry.after && collection.indexes.some((index) => index.unique && index.id !== 0))
      this.freeUnique(collection, entry.after);
    for (const { index, keys } of plans)
      if (index.unique) for (const key of keys) this.uniqueKeys.set(uniqueLock(index.id, key), owner);
    entry.after = after;
    entry.stored = undefined;
    entry.checked = collection.indexes;
    if (after && this.deflated < mostDeflated) this.deflateSoon(collection, entry, after);
  }

  /** While its client does something else: the commit, for which everybody waits, has less to do then. */
  private deflateSoon(collection: Collection, entry: Entry, after: Value): void {
    this.deflated += 1;
    const { dictionary } = collection;
    setImmediate(() => {
      if (!this.isEnded && entry.after === after) entry.stored = deflated(after, dictionary);
    });
  }

  insert(collection: Collection, document: Value, id: Value): void {
    const idKey = keyOf(id);
    const entry = this.claim(collection, idKey);
    if (entry.after !== undefined) throw duplicateKey(collection, collection.indexes[0]!, document);
    this.change(collection, idKey, { entry, after: document });
  }

  replace(collection: Collection, _row: StoredRow, after: Value): void {
    const idKey = keyOf(idOf(after)!);
    this.change(collection, idKey, { entry: this.claim(collection, idKey), after });
  }

  remove(collection: Collection, row: StoredRow): void {
    const idKey = keyOf(idOf(row.doc)!);
    this.change(collection, idKey, { entry: this.claim(collection, idKey), after: undefined });
  }

  /**
   * Whether nothing can refuse the changes any more: their keys are locked and were checked against the indexes as they
   * are now.
   */
  get isChecked(): boolean {
    return [...this.changes.values()].every(({ collection, entries }) => {
      const real = this.catalog.find(collection.database, collection.name);
      return real?.id === collection.id && [...entries.values()].every((entry) => entry.checked === real.indexes);
    });
  }

  /** Writes the changes into the SQLite transaction that is open. */
  apply(): void {
    const all = [...this.changes.values()].flatMap(({ collection, entries }) => {
      const real =
        collection.id < 0 ? this.realise(collection) : this.catalog.find(collection.database, collection.name);
      if (real === undefined || (collection.id >= 0 && real.id !== collection.id)) throw writeConflict();
      return [...entries.values()].map((entry) => ({
        collection: real,
        before: entry.before,
        after: entry.after,
        stored: entry.stored?.by === real.dictionary.bytes ? entry.stored?.bytes : undefined,
        isUnique: entry.checked === real.indexes,
      }));
    });
    for (const { collection, before, after } of all) if (before && !after) this.writer.delete(collection, before);
    for (const { collection, before, after, stored, isUnique } of all)
      if (before && after) this.writer.replace(collection, before, { after, stored, isUnique });
    for (const { collection, before, after, stored, isUnique } of all)
      if (!before && after) this.writer.insert(collection, after, { id: idOf(after)!, stored, isUnique });
  }

  private realise(collection: Collection): Collection {
    if (this.catalog.find(collection.database, collection.name)) throw writeConflict();
    return this.catalog.create(collection.database, collection.name);
  }

  /** Lets go of locks; those who wait go on. Returns the connection, if it had one, free for others. */
  end(): Sqlite | undefined {
    this.isEnded = true;
    this.snapshot?.prepare('ROLLBACK').run();
    this.locks.releaseAll(this.held);
    this.changes.clear();
    this.signalEnd();
    return this.snapshot;
  }
}
