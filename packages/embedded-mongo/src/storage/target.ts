import type { Value } from '../bson/value.ts';
import type { Collection } from './catalog.ts';
import type { StoredRow } from './document-writer.ts';
import type { Sqlite } from './sqlite.ts';

/** What a statement sees and how it writes: the committed state, or a transaction's snapshot with its own changes. */
export abstract class Target {
  /** The connection whose state is seen. */
  abstract readonly sqlite: Sqlite;
  /** Newest data version that is seen. */
  abstract readonly version: number;
  /** Whether the collection's table exists in the state that is seen. */
  abstract hasTable(collection: Collection): boolean;
  /** Whether the stored row is replaced by a change of the transaction. */
  abstract isHidden(collection: Collection, rid: number): boolean;
  /** Documents that the transaction added or changed. */
  abstract changed(collection: Collection): StoredRow[];
  abstract findById(collection: Collection, idKey: Buffer): StoredRow | undefined;
  /** The present version of a row that was read before. */
  abstract reread(collection: Collection, row: StoredRow): Value | undefined;
  abstract insert(collection: Collection, document: Value, id: Value): void;
  abstract replace(collection: Collection, row: StoredRow, after: Value): void;
  abstract remove(collection: Collection, row: StoredRow): void;
}
