/**
 * Volatile shared values: rate limits and caches. Losing all of them does no harm. Expiry is an absolute time. While
 * the store is unavailable each call rejects, immediately or after little more than a second, and its effect can have
 * happened. The caller decides whether to continue without it (a rate limit lets pass, a cache asks its source) or to
 * fail.
 */
export abstract class Kv {
  /** Returns null if missing or expired. */
  abstract get(key: string): Promise<string | null>;
  abstract set(key: string, value: string, options: { expiresAt: Date }): Promise<void>;
  /** Sets the value if the key has none. Returns true if this call set it; atomic among all callers. */
  abstract setIfAbsent(key: string, value: string, options: { expiresAt: Date }): Promise<boolean>;
  /** Adds `by`, or 1, and returns the new value. The first call sets the expiry, later ones keep it. */
  abstract increment(key: string, options: { by?: number; expiresAt: Date }): Promise<number>;
  /**
   * Counts a member, or returns false if `most` others count already. The member counts until it leaves or its time is
   * over; entering again extends the time. Atomic among all callers.
   */
  abstract enter(key: string, member: string, options: { most: number; expiresAt: Date }): Promise<boolean>;
  abstract leave(key: string, member: string): Promise<void>;
  abstract delete(key: string): Promise<void>;
  abstract close(): Promise<void>;
}
