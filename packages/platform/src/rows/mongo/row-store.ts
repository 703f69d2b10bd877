import type { StoreSession } from './store-session.ts';

export type StoredRow = Record<string, unknown>;
type Document = Readonly<Record<string, unknown>>;
/** Sent with every command. */
export type Around = {
  readonly session?: StoreSession | undefined;
  readonly comment?: string | undefined;
  /** Lets the store send a write later in the transaction, with others. The counts it returns mean nothing then. */
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
/** The number of rows that matched, and of those that were created. */
export type Written = { readonly matched: number; readonly made: number };

/** The access of `ScopedRows` to one collection. Errors are those of the MongoDB driver in every implementation. */
export interface RowStore {
  find(filter: Document, options: Around & Selection & { readonly limit?: number | undefined }): Promise<StoredRow[]>;
  aggregate(stages: readonly Document[], around: Around): Promise<StoredRow[]>;
  /** Inserts all or none in a transaction; otherwise those before the first refused one. */
  insert(rows: readonly StoredRow[], around: Around): Promise<void>;
  /** Applies each by itself, in no order. */
  update(writes: readonly Write[], around: Around): Promise<Written>;
  /** Changes one row and returns it as it is afterwards; null if none matches and none is created. */
  change(
    filter: Document,
    change: Document,
    options: Around & Selection & { readonly upsert: boolean },
  ): Promise<StoredRow | null>;
  /** Returns the number of deleted rows. */
  delete(filter: Document, options: Around & { readonly isMany: boolean }): Promise<number>;
}
