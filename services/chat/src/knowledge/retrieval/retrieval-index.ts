import type { ChunkId, ConnectionId, DocumentId, PassageLocation } from '@parley/contracts';
import type { Ranks } from './fuse.ts';
import type { OrganisationScope, Transaction } from '@parley/platform/mongo';

/** A piece of a document as the reader cut it. */
export type Passage = {
  readonly heading: string | null;
  readonly text: string;
  readonly place?: PassageLocation | undefined;
};
/** What passages are of, and of when it is. */
export type IndexedDocument = {
  readonly id: DocumentId;
  readonly name: string;
  readonly connectionId: ConnectionId;
  readonly asOf?: Date;
};
/** Where a passage stands. */
export type LocatedPassage = Passage & {
  readonly chunkId: ChunkId;
  readonly documentId: DocumentId;
  readonly documentName: string;
};
export type FoundPassage = LocatedPassage & {
  /** How well it fits the question, comparable within one search only. */
  readonly score: number;
  /** Which part of all that was asked about stands there, between 0 and 1. */
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

/** Where somebody may look: the data connections that they may read, and of these those that what answers may use. */
export type Within = readonly ConnectionId[];

/**
 * Finds passages of an organisation's documents. Guarantees: who can read is decided before ranking; nobody finds what
 * was hidden or removed from the moment the call resolves, however large the document is; what is shown again may come
 * back in parts, of a large document within a minute; a document that is replaced is found as it was until it is found as it is. Up to a
 * hundred passages are exchanged as a whole, also where the process dies in between; of more, old and new ones may be
 * found side by side for a moment, or where the process dies then, until the document is read again.
 */
export abstract class RetrievalIndex {
  /** All passages of a document, replacing what was there; `onStored` is told how many are stored, and of how many. */
  abstract replace(
    scope: OrganisationScope,
    document: IndexedDocument,
    passages: readonly Passage[],
    onStored?: (count: number, of: number) => void,
  ): Promise<void>;
  abstract setHidden(
    scope: OrganisationScope,
    documentId: DocumentId,
    isHidden: boolean,
    tx?: Transaction,
  ): Promise<void>;
  abstract remove(scope: OrganisationScope, documentId: DocumentId): Promise<void>;
  /**
   * The best passages for the words of the query, best first; none when no word occurs. What lies outside of `within`
   * is neither found nor counted: the order is the same as if it were not there.
   */
  abstract search(scope: OrganisationScope, within: Within, query: string, limit: number): Promise<FoundPassage[]>;
  /** One passage with its neighbours; null when hidden, removed, outside of `within` or of another organisation. */
  abstract find(scope: OrganisationScope, within: Within, chunkId: ChunkId): Promise<PassageInContext | null>;
  /** A part of a document's text, without hidden passages; whether somebody may read it is asked before. */
  abstract textOf(scope: OrganisationScope, documentId: DocumentId, part: TextPart): Promise<DocumentText>;
  /** How many passages of a connection are there. */
  abstract countIn(scope: OrganisationScope, connectionId: ConnectionId): Promise<number>;
  /** How many of a document are there, found or not. */
  abstract countOf(scope: OrganisationScope, documentId: DocumentId): Promise<number>;
  /** How many passages the organisation holds, counted up to the limit. */
  abstract count(scope: OrganisationScope, limit: number): Promise<number>;
}
