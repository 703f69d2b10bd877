import { Problem } from '@parley/protocol';
import type { Readable } from 'node:stream';

/** The most bytes of a part: S3 takes them from memory. */
export const mostPartBytes = 16 * 1024 * 1024;

/** Which part of which upload, and how long it is at most. */
export type BlobPart = { readonly uploadId: string; readonly number: number; readonly maxBytes: number };

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
  /** The bytes from `start` up to, not including, `end`, as far as there are any; null when absent. */
  abstract getRange(key: string, start: number, end: number): Promise<Readable | null>;
  /** Repeating is harmless. */
  abstract delete(key: string): Promise<void>;
  /**
   * Begins a blob that comes in parts, and returns the id of that upload. The blob appears when it is completed; what
   * nobody completes stays, also over a restart, until it is aborted.
   */
  abstract beginParts(key: string): Promise<string>;
  /**
   * Stores a part, from 1 on, and resolves with its byte count when durable. Each but the last has at least 5 MiB, and
   * none more than `mostPartBytes`. Repeating replaces the part; parts come in any order and at the same time. Over
   * `maxBytes` rejects with `platform.body-too-large`, for an upload that is not there with `platform.not-found`; either
   * keeps what there was.
   */
  abstract putPart(key: string, part: BlobPart, content: Readable): Promise<number>;
  /**
   * Makes these parts the blob, in the order of their numbers, and returns its size. Nobody sees half of it. Repeating is
   * harmless. Rejects with `platform.not-found` where a part or the upload is missing, and keeps the rest.
   */
  abstract completeParts(key: string, uploadId: string, parts: readonly number[]): Promise<number>;
  /** Forgets an upload with its parts. Repeating is harmless, also for one that was completed. */
  abstract abortParts(key: string, uploadId: string): Promise<void>;
  abstract close(): Promise<void>;
}

const segment = /^[A-Za-z0-9_-]{1,128}$/;

/** Throws on anything that could leave the store's folder or bucket prefix. */
export function assertBlobKey(key: string): void {
  if (key.length > 512 || !key.split('/').every((part) => segment.test(part)))
    throw new Error(`Not a blob key: ${JSON.stringify(key.slice(0, 100))}`);
}

/** What is said of an upload or a part that is not there. */
export const noSuchPart = (detail: string): Problem => new Problem('platform.not-found', { detail });

const mostParts = 10_000;

/** Throws on a number that no part can have, and on a limit above that of a part. */
export function assertPart({ number, maxBytes }: Omit<BlobPart, 'uploadId'>): void {
  if (!Number.isInteger(number) || number < 1 || number > mostParts) throw new Error(`Not a part: ${number}`);
  if (maxBytes > mostPartBytes) throw new Error(`A part has at most ${mostPartBytes} bytes.`);
}
