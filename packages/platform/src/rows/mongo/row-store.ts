import type { StoreSession } from './store-session.ts';

export type StoredRow = Record<string, unknown>;
type Document = Readonly<Record<string, unknown>>;
/** The options of every command. */
export type Around = {
  readonly session?: StoreSession | undefined;
  readonly comment?: string | undefined;
  /**
   * Lets the store hold a write back in the transaction and send it with others. The counts it returns mean nothing in
   * that case.
   */
  readonly isLater?: boolean | undefined;
};
export type Selection = { readonly sort?: Document | undefined; readonly projection?: Document | undefined };
export type Write = {
  readonly filter: Document;
  readonly change: Document;
  /** Changes all rows that match, not only one. */
  readonly isMany?: boolean;
  /** Creates a row if none matches. */
  readonly upsert?: boolean;
};
/** The number of rows that matched, and of rows that were created. */
export type Written = { readonly matched: number; readonly made: number };

/** The access of `ScopedRows` to one collection. Errors are those of the MongoDB driver in every implementation. */
export interface RowStore {
  find(filter: Document, options: Around & Selection & { readonly limit?: number | undefined }): Promise<StoredRow[]>;
  aggregate(stages: readonly Document[], around: Around): Promise<StoredRow[]>;
  /** Inserts all rows or none in a transaction; otherwise the rows before the first refused one. */
  insert(rows: readonly StoredRow[], around: Around): Promise<void>;
  /** Applies each write separately, in no order. */
  update(writes: readonly Write[], around: Around): Promise<Written>;
  /** Changes one row and returns its state after the change; null if no row matches and none is created. */
  change(
    filter: Document,
    change: Document,
    options: Around & Selection & { readonly upsert: boolean },
  ): Promise<StoredRow | null>;
  /** Returns the number of deleted rows. */
  delete(filter: Document, options: Around & { readonly isMany: boolean }): Promise<number>;
}
