import type { Transaction } from '@parley/platform/mongo';
import { LRUCache } from 'lru-cache';

/** About a megabyte. */
const mostKept = 5_000;

/** Caches ids of rows that were found, so they aren't looked up again. Only for rows that stay once committed. */
export class SeenRows {
  private readonly ids = new LRUCache<string, true>({ max: mostKept });
  private readonly writers = new WeakSet<Transaction['session']>();

  has(id: string): boolean {
    return this.ids.has(id);
  }

  /** Caches ids that a transaction has read; ignores them after `writing`, since its own rows may be rolled back. */
  note(ids: readonly string[], tx: Transaction): void {
    if (this.writers.has(tx.session)) return;
    for (const id of ids) this.ids.set(id, true);
  }

  /** To be called before a transaction writes such rows. */
  writing(tx: Transaction): void {
    this.writers.add(tx.session);
  }
}
