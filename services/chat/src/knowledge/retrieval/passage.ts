import type { ChunkId, ConnectionId, DocumentId, PassageLocation } from '@parley/contracts';
import type { Ranks } from './fuse.ts';

/** A piece of a document, as the document reader split it. */
export type Passage = {
  readonly heading: string | null;
  readonly text: string;
  readonly place?: PassageLocation | undefined;
};
/** The document that passages come from, and how new it is. */
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
  /** The share of the question's words that the passage contains, from 0 to 1. */
  readonly coverage: number;
  /** The cosine similarity of passage and question; missing unless search by meaning found it. */
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

/** Selects a part of a document's text: from an index on, or the part with a given passage. If that passage is deleted: the first part. */
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

/** The data connections to search: those that the person can read and the chatbot can use. */
export type Within = readonly ConnectionId[];
