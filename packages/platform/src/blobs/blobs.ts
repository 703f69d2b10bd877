import type { Readable } from 'node:stream';

/**
 * Large bytes by key. Keys are made by us (`documents/<org>/<id>`): segments of `[A-Za-z0-9_-]`, anything else is
 * refused. Keys never differ in case only.
 */
export abstract class Blobs {
  /**
   * Resolves with the byte count when durable; over `maxBytes` rejects with `platform.body-too-large` and keeps
   * nothing.
   */
  abstract put(key: string, content: Readable, options: { maxBytes: number }): Promise<number>;
  /** Null when absent. */
  abstract get(key: string): Promise<Readable | null>;
  /** Repeating is harmless. */
  abstract delete(key: string): Promise<void>;
  abstract close(): Promise<void>;
}

const segment = /^[A-Za-z0-9_-]{1,128}$/;

/** Throws on anything that could leave the store's folder or bucket prefix. */
export function assertBlobKey(key: string): void {
  if (key.length > 512 || !key.split('/').every((part) => segment.test(part)))
    throw new Error(`Not a blob key: ${JSON.stringify(key.slice(0, 100))}`);
}
