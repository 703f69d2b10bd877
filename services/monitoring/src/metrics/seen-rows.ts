import type { Transaction } from '@parley/platform/mongo';
import { LRUCache } from 'lru-cache';

/** About a megabyte. */
const mostKept = 5_000;

/** Keeps ids of rows that stay once they are there, so that each is looked for until it was found once. */
export class SeenRows {
  private readonly ids = new LRUCache<string, true>({ max: mostKept });
  private readonly writers = new WeakSet<Transaction['session']>();

  has(id: string): boolean {
    return this.ids.has(id);
  }

  /** Keeps what a transaction has read; nothing once it writes such rows itself, for its own may not stay. */
  note(ids: readonly string[], tx: Transaction): void {
    if (this.writers.has(tx.session)) return;
    for (const id of ids) this.ids.set(id, true);
  }

  /** To be called before a transaction writes such rows. */
  writing(tx: Transaction): void {
    this.writers.add(tx.session);
  }
}
