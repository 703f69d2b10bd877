/**
 * Volatile shared values: rate limits, caches. Losing all of it loses nothing that matters. Expiry is an absolute time.
 * While the store is away each call rejects, at once or after little more than a second, and what it was to do may have
 * happened: the caller says whether it then goes on without (a rate limit lets pass, a cache asks its source) or fails.
 */
export abstract class Kv {
  /** Null when absent or expired. */
  abstract get(key: string): Promise<string | null>;
  abstract set(key: string, value: string, options: { expiresAt: Date }): Promise<void>;
  /** True when this call set it; atomic among all callers. */
  abstract setIfAbsent(key: string, value: string, options: { expiresAt: Date }): Promise<boolean>;
  /** Adds 1 and returns the new value; the first call sets the expiry, later ones keep it. */
  abstract increment(key: string, options: { expiresAt: Date }): Promise<number>;
  /**
   * Counts a member in, unless there are as many others: false then. A member that isn't renewed by entering again, and
   * doesn't leave, is counted until its time is over. Atomic among all callers.
   */
  abstract enter(key: string, member: string, options: { most: number; expiresAt: Date }): Promise<boolean>;
  abstract leave(key: string, member: string): Promise<void>;
  abstract delete(key: string): Promise<void>;
  abstract close(): Promise<void>;
}
