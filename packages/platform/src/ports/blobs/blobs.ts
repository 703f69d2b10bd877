import { Problem } from '@parley/protocol';
import type { Readable } from 'node:stream';

/** Limits the bytes of a part, because S3 takes a part from memory. */
export const mostPartBytes = 16 * 1024 * 1024;

/** Names a part of an upload, with its maximum size. */
export type BlobPart = { readonly uploadId: string; readonly number: number; readonly maxBytes: number };

/**
 * Stores large content by key. Parley makes the keys (`documents/<org>/<id>`): segments of `[A-Za-z0-9_-]`, anything
 * else is refused. Keys never differ in case only.
 */
export abstract class Blobs {
  /**
   * Resolves with the number of bytes when stored; above `maxBytes` rejects with `platform.body-too-large` and stores
   * nothing.
   */
  abstract put(key: string, content: Readable, options: { maxBytes: number }): Promise<number>;
  /** Null when absent. */
  abstract get(key: string): Promise<Readable | null>;
  /** Returns the bytes from `start` up to, not including, `end`, as far as there are any; null if missing. */
  abstract getRange(key: string, start: number, end: number): Promise<Readable | null>;
  /** Repeating is harmless. */
  abstract delete(key: string): Promise<void>;
  /**
   * Starts a blob in parts, and returns the id of the upload. The blob appears when it is completed; an upload that
   * nobody completes stays, also over a restart, until it is aborted.
   */
  abstract beginParts(key: string): Promise<string>;
  /**
   * Stores a part, from 1 on, and resolves with its number of bytes when stored. Each part but the last has at least 5
   * MiB, and none more than `mostPartBytes`. Repeating replaces the part; parts can come in any order and at the same
   * time. Rejects with `platform.body-too-large` above `maxBytes`, with `platform.not-found` for an unknown upload;
   * both keep the parts stored before.
   */
  abstract putPart(key: string, part: BlobPart, content: Readable): Promise<number>;
  /**
   * Makes these parts the blob, in the order of their numbers, and returns its size. An incomplete blob is never
   * visible. Idempotent. Rejects with `platform.not-found` if a part or the upload is missing, and keeps the other
   * parts.
   */
  abstract completeParts(key: string, uploadId: string, parts: readonly number[]): Promise<number>;
  /** Deletes an upload with its parts. Idempotent, also for a completed one. */
  abstract abortParts(key: string, uploadId: string): Promise<void>;
  abstract close(): Promise<void>;
}

const segment = /^[A-Za-z0-9_-]{1,128}$/;

/** Throws on a key that could leave the store's folder or bucket prefix. */
export function assertBlobKey(key: string): void {
  if (key.length > 512 || !key.split('/').every((part) => segment.test(part)))
    throw new Error(`Not a blob key: ${JSON.stringify(key.slice(0, 100))}`);
}

/** Returns the problem of a missing upload or part. */
export const noSuchPart = (detail: string): Problem => new Problem('platform.not-found', { detail });

const mostParts = 10_000;

/** Throws on an invalid number, and on a limit above that of a part. */
export function assertPart({ number, maxBytes }: Omit<BlobPart, 'uploadId'>): void {
  if (!Number.isInteger(number) || number < 1 || number > mostParts) throw new Error(`Not a part: ${number}`);
  if (maxBytes > mostPartBytes) throw new Error(`A part has at most ${mostPartBytes} bytes.`);
}
