import { LRUCache } from 'lru-cache';
import type { StoreSession } from './store-session.ts';

const mostResults = 2_000;

/**
 * Caches reads of one collection until this process writes to it, if no other process writes. During a write, until its
 * transaction ends, reads go to the store, so that nobody gets data from before a finished write.
 */
export class Memory {
  private readonly results = new LRUCache<string, { readonly result: unknown }>({ max: mostResults });
  private readonly sessions = new WeakSet<StoreSession>();
  private writes = 0;
  private underWay = 0;

  /** Returns the cached result, or that of `read`. Later callers get the same object, so callers must not change it. */
  async read<Result>(key: string, read: () => Promise<Result>): Promise<Result> {
    const known = this.results.get(key);
    if (known) return known.result as Result;
    const { writes } = this;
    const result = await read();
    if (this.underWay === 0 && this.writes === writes) this.results.set(key, { result });
    return result;
  }

  async write<Result>(session: StoreSession | undefined, write: () => Promise<Result>): Promise<Result> {
    if (session) {
      this.untilEnded(session);
      return write();
    }
    this.begin();
    return write().finally(() => this.end());
  }

  private untilEnded(session: StoreSession): void {
    if (this.sessions.has(session)) return;
    this.sessions.add(session);
    this.begin();
    session.whenEnded(() => this.end());
  }

  private begin(): void {
    this.underWay += 1;
    this.writes += 1;
    // Clears only if there are entries, because clearing touches all slots, including empty ones.
    if (this.results.size > 0) this.results.clear();
  }

  /** Counts the end as another write, because a read that began before it can be from before the write. */
  private end(): void {
    this.writes += 1;
    this.underWay -= 1;
  }
}
