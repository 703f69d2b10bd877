import type { ChunkId, ConnectionId, DocumentId, PassageLocation } from '@parley/contracts';
import type { Ranks } from './fuse.ts';

/** A piece of a document as the reader cut it. */
export type Passage = {
  readonly heading: string | null;
  readonly text: string;
  readonly place?: PassageLocation | undefined;
};
/** The document of passages, with its date. */
export type IndexedDocument = {
  readonly id: DocumentId;
  readonly name: string;
  readonly connectionId: ConnectionId;
  readonly asOf?: Date;
};
/** A passage with its document. */
export type LocatedPassage = Passage & {
  readonly chunkId: ChunkId;
  readonly documentId: DocumentId;
  readonly documentName: string;
};
export type FoundPassage = LocatedPassage & {
  /** How well it fits the question, comparable within one search only. */
  readonly score: number;
  /** The part of all words of the question that it has, between 0 and 1. */
  readonly coverage: number;
  /** How close it is to the question in meaning, where it was found so: the cosine of their vectors. */
  readonly similarity?: number;
  /** At which place it stands by words and by meaning, where both were asked. */
  readonly ranks?: Ranks;
};
export type PassageInContext = LocatedPassage & {
  readonly before: string;
  readonly after: string;
  readonly asOf: Date | null;
  readonly indexedAt: Date;
};

/** Which part of a document's text: from an index on, or the part that holds a passage, the first one where that is gone. */
export type TextPart = {
  readonly from?: number | undefined;
  readonly chunkId?: ChunkId | undefined;
  readonly limit: number;
};
/** Passages in the order of the document; `previous` and `next` are where the parts beside it begin. */
export type DocumentText = {
  readonly passages: readonly LocatedPassage[];
  readonly previous: number | null;
  readonly next: number | null;
};

/** The data connections to search: somebody can read them, and the chatbot can use them. */
export type Within = readonly ConnectionId[];
