import type { ChunkRow } from './chunk.collection.ts';
import type { PlacedPassage } from './retrieval-index.ts';

/** A passage as it is found, whatever else its row holds. */
export function toPlaced({ _id, documentId, documentName, heading, text, place }: ChunkRow): PlacedPassage {
  return { chunkId: _id, documentId, documentName, heading, text, ...(place && { place }) };
}
