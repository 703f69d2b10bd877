import type { Readable } from 'node:stream';

/** Large bytes by key. Keys are made by us (`documents/<org>/<id>`): lowercase segments of `[a-z0-9_-]`, anything else is refused. */
export abstract class Blobs {
  /** Resolves with the byte count when durable; over `maxBytes` rejects with `platform.body-too-large` and keeps nothing. */
  abstract put(key: string, content: Readable, options: { maxBytes: number }): Promise<number>;
  /** Null when absent. */
  abstract get(key: string): Promise<Readable | null>;
  /** Repeating is harmless. */
  abstract delete(key: string): Promise<void>;
  abstract close(): Promise<void>;
}
