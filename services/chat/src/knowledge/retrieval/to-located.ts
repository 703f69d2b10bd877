import type { ChunkRow } from './chunk.collection.ts';
import type { LocatedPassage } from './passage.ts';

/** A passage as it is found, whatever else its row holds. */
export function toLocated({ _id, documentId, documentName, heading, text, place }: ChunkRow): LocatedPassage {
  return { chunkId: _id, documentId, documentName, heading, text, ...(place && { place }) };
}
