import type { StoreSession } from './store-session.ts';

export type StoredRow = Record<string, unknown>;
type Document = Readonly<Record<string, unknown>>;
/** With what every command goes. */
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
  /** Changes all rows that fit, not only one. */
  readonly isMany?: boolean;
  /** Makes a row where none fits. */
  readonly upsert?: boolean;
};
/** Says how many rows fitted, and how many were made. */
export type Written = { readonly matched: number; readonly made: number };

/** How `ScopedRows` reaches one collection. Errors are those of the MongoDB driver, whatever the way. */
export interface RowStore {
  find(filter: Document, options: Around & Selection & { readonly limit?: number | undefined }): Promise<StoredRow[]>;
  aggregate(stages: readonly Document[], around: Around): Promise<StoredRow[]>;
  /** All or none in a transaction; otherwise those before the first that is refused. */
  insert(rows: readonly StoredRow[], around: Around): Promise<void>;
  /** Each for itself, in no order where there are several. */
  update(writes: readonly Write[], around: Around): Promise<Written>;
  /** Changes one row and returns it as it is afterwards; null when none fits and none is made. */
  change(
    filter: Document,
    change: Document,
    options: Around & Selection & { readonly upsert: boolean },
  ): Promise<StoredRow | null>;
  /** Returns how many rows are gone. */
  delete(filter: Document, options: Around & { readonly isMany: boolean }): Promise<number>;
}
