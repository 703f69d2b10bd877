import type { Blobs } from '@parley/platform/blobs';
import { Readable } from 'node:stream';
import type { FilesRepository } from '../knowledge/files/files.repository.ts';
import { SeenImages } from '../knowledge/files/index.ts';

/** Images whose bytes lie in memory (`kept`), by their keys. */
export function imagesInMemory(fileRows: FilesRepository) {
  const kept = new Map<string, Buffer>();
  const blobs = { get: async (key: string) => (kept.has(key) ? Readable.from([kept.get(key)!]) : null) };
  return Object.assign(new SeenImages(fileRows, blobs as unknown as Blobs), { kept });
}
