import type { Collection } from './collection.ts';
import type { Memory } from './memory.ts';
import type { RowStore } from './row-store.ts';
import type { StoreSession } from './store-session.ts';

/** One tenant's rows of a collection, within one transaction or none. */
export type Reach = {
  readonly definition: Collection;
  readonly store: RowStore;
  /** The fields that all rows of this tenant have in common. */
  readonly own: Readonly<Record<string, unknown>>;
  readonly session: StoreSession | undefined;
  /** Lets the store hold writes back in the transaction and send them with others; see `ScopedRows.later`. */
  readonly isLater?: boolean;
  /** The collection's cache, which is notified of each write. */
  readonly memory: Memory | null;
};
