import { randomBytes } from 'node:crypto';
import { fail } from '../errors.ts';
import { documentOf, type Value } from '../bson/value.ts';
import { idIndex, indexFrom, type Index } from './index-spec.ts';
import { blob, type Sqlite } from './sqlite.ts';
import type { Dictionary } from './stored-document.ts';

/** A collection: its table is `c<id>`, the tables of its indexes are `i<id>`. */
export type Collection = {
  readonly id: number;
  readonly database: string;
  readonly name: string;
  readonly uuid: Buffer;
  /** The index on `_id` comes first. */
  indexes: Index[];
  /** Data version at which it was made: older snapshots lack its table. */
  readonly since: number;
  /** The same object for as long as the collection is there, also when the catalogue is read again. */
  readonly dictionary: Dictionary;
};

/** Version of the tables; raised when an older program could no longer read them. */
export const storageVersion = 2;

const tables = `
CREATE TABLE IF NOT EXISTS collections(id INTEGER PRIMARY KEY AUTOINCREMENT, db TEXT NOT NULL, name TEXT NOT NULL, uuid BLOB NOT NULL, UNIQUE(db, name));
CREATE TABLE IF NOT EXISTS indexes(id INTEGER PRIMARY KEY AUTOINCREMENT, collection INTEGER NOT NULL, name TEXT NOT NULL, spec BLOB NOT NULL, multikey INTEGER NOT NULL, UNIQUE(collection, name));
CREATE TABLE IF NOT EXISTS replies(session BLOB PRIMARY KEY, txn INTEGER NOT NULL, reply BLOB NOT NULL, at INTEGER NOT NULL) WITHOUT ROWID;
CREATE TABLE IF NOT EXISTS dictionaries(collection INTEGER PRIMARY KEY, bytes BLOB NOT NULL);
`;

/** Creates the tables of an empty file; throws `data-newer` when a newer program wrote it. */
export function prepareTables(sqlite: Sqlite): void {
  const version = Number(sqlite.get('PRAGMA user_version')![0]);
  if (version > storageVersion) {
    throw Object.assign(
      new Error(`the data was written by a newer version (storage ${version}, this program reads ${storageVersion})`),
      { code: 'data-newer' },
    );
  }
  sqlite.database.exec(`BEGIN IMMEDIATE; ${tables} PRAGMA user_version = ${storageVersion}; COMMIT`);
}

/** Knows all collections and indexes. Its changes belong to the SQLite transaction that is open. */
export class Catalog {
  private readonly sqlite: Sqlite;
  private collections = new Map<string, Collection>();
  /** Counts committed groups of writes; snapshots remember it. */
  version = 1;

  constructor(sqlite: Sqlite) {
    this.sqlite = sqlite;
    this.reload();
  }

  /** Reads everything again, after a rollback. */
  reload(): void {
    this.sqlite.forgetStatements();
    const known = new Map(this.all().map((collection) => [collection.id, collection]));
    this.collections = new Map();
    for (const [id, database, name, uuid] of this.sqlite.all('SELECT id, db, name, uuid FROM collections')) {
      const indexes = this.sqlite
        .all('SELECT id, spec, multikey FROM indexes WHERE collection = ? ORDER BY id', id!)
        .map((row) => {
          const since = known.get(Number(id))?.indexes.find((index) => index.id === Number(row[0]))?.since;
          return indexFrom(documentOf(blob(row[1])), {
            id: Number(row[0]),
            multikey: Number(row[2]),
            since: since ?? this.version,
          });
        });
      const collection = {
        id: Number(id),
        database: String(database),
        name: String(name),
        uuid: blob(uuid),
        indexes: [idIndex(), ...indexes],
        since: known.get(Number(id))?.since ?? this.version,
        dictionary: known.get(Number(id))?.dictionary ?? { bytes: undefined },
      };
      const learnt = this.sqlite.get('SELECT bytes FROM dictionaries WHERE collection = ?', id!);
      collection.dictionary.bytes = learnt && blob(learnt[0]);
      this.collections.set(`${collection.database}.${collection.name}`, collection);
    }
  }

  find(database: string, name: string): Collection | undefined {
    return this.collections.get(`${database}.${name}`);
  }

  /** Whether this collection still is the one of its name. */
  isCurrent(collection: Collection): boolean {
    return this.find(collection.database, collection.name)?.id === collection.id;
  }

  all(): Collection[] {
    return [...this.collections.values()];
  }

  inDatabase(database: string): Collection[] {
    return this.all().filter((collection) => collection.database === database);
  }

  create(database: string, name: string): Collection {
    checkCollectionName(name);
    const uuid = randomBytes(16);
    const id = this.sqlite.run('INSERT INTO collections(db, name, uuid) VALUES (?, ?, ?)', database, name, uuid).rowid;
    this.sqlite.database.exec(
      `CREATE TABLE c${id}(rid INTEGER PRIMARY KEY, k BLOB NOT NULL UNIQUE, doc BLOB NOT NULL)`,
    );
    const collection = {
      id,
      database,
      name,
      uuid,
      indexes: [idIndex()],
      since: this.version + 1,
      dictionary: { bytes: undefined },
    };
    this.collections.set(`${database}.${name}`, collection);
    return collection;
  }

  drop(collection: Collection): void {
    for (const index of collection.indexes) if (index.id !== 0) this.sqlite.database.exec(`DROP TABLE i${index.id}`);
    this.sqlite.database.exec(`DROP TABLE c${collection.id}`);
    this.sqlite.run('DELETE FROM indexes WHERE collection = ?', collection.id);
    this.sqlite.run('DELETE FROM dictionaries WHERE collection = ?', collection.id);
    this.sqlite.run('DELETE FROM collections WHERE id = ?', collection.id);
    this.collections.delete(`${collection.database}.${collection.name}`);
    this.sqlite.forgetStatements();
  }

  /** Adds an empty index; filling it is the caller's work. */
  addIndex(collection: Collection, spec: Value): Index {
    const draft = indexFrom(spec, { id: -1, multikey: 0, since: this.version + 1 });
    const { rowid } = this.sqlite.run(
      'INSERT INTO indexes(collection, name, spec, multikey) VALUES (?, ?, ?, 0)',
      collection.id,
      draft.name,
      spec.bytes.subarray(spec.start, spec.end),
    );
    this.sqlite.database.exec(
      `CREATE TABLE i${rowid}(k BLOB NOT NULL, rid INTEGER NOT NULL, PRIMARY KEY(k, rid)) WITHOUT ROWID`,
    );
    const index = { ...draft, id: rowid };
    collection.indexes = [...collection.indexes, index];
    return index;
  }

  dropIndex(collection: Collection, index: Index): void {
    this.sqlite.database.exec(`DROP TABLE i${index.id}`);
    this.sqlite.run('DELETE FROM indexes WHERE id = ?', index.id);
    collection.indexes = collection.indexes.filter((other) => other !== index);
    this.sqlite.forgetStatements();
  }

  /** Remembers how documents of a collection are deflated; it never changes again. */
  keepDictionary(collection: Collection, bytes: Buffer): void {
    this.sqlite.run('INSERT INTO dictionaries(collection, bytes) VALUES (?, ?)', collection.id, bytes);
    collection.dictionary.bytes = bytes;
  }

  /** Remembers that fields of an index hold arrays. */
  widenMultikey(index: Index, mask: number): void {
    if ((index.multikey | mask) === index.multikey) return;
    index.multikey |= mask;
    this.sqlite.run('UPDATE indexes SET multikey = ? WHERE id = ?', index.multikey, index.id);
  }
}

/** Refuses names that MongoDB refuses. */
export function checkCollectionName(name: string): void {
  if (name === '' || name.startsWith('.') || name.endsWith('.') || name.includes('$') || name.includes('\0')) {
    fail('InvalidNamespace', `Invalid collection name specified '${name}'`);
  }
  if (name.startsWith('system.')) fail('InvalidNamespace', `cannot write to '${name}'`);
}
