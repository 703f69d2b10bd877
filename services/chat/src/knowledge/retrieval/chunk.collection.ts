import { chunkId, connectionId, documentId, passageLocation } from '@parley/contracts';
import { collection, type ReadOf, type RowOf } from '@parley/platform/mongo';
import { stemmedLanguages } from '@parley/platform/text';
import { orgId } from '@parley/protocol';
import { z } from 'zod';

/** A heading is cut here: each of its passages has it, and is found by its words too. */
export const longestHeading = 300;
/** Maximum characters of a passage of a document and of its heading. */
export const passageSizes = { text: 900, heading: longestHeading };

export const chunkRows = collection(
  'chunks',
  {
    _id: chunkId,
    orgId,
    documentId,
    /** Null, or absent in what earlier versions have written: of the connection that every organisation begins with. */
    connectionId: connectionId.nullable(),
    documentName: z.string(),
    index: z.number(),
    heading: z.string().max(longestHeading).nullable(),
    text: z.string(),
    place: passageLocation.optional(),
    /** By which its words are folded; absent in what earlier versions have written. */
    language: z.enum(stemmedLanguages).nullable(),
    /** Of which connection the words are, and each different one. */
    searchScope: z.string(),
    searchKeys: z.array(z.string()),
    /** By which it is ranked, see `wordCounts`; absent in what earlier versions have written. */
    wordCounts: z.string().optional(),
    /** Of when its document is; absent in what earlier versions have written. */
    asOf: z.date().optional(),
    isHidden: z.boolean(),
    /**
     * Null, or absent in what earlier versions have written, until it has a row in `passage_vectors`. False: the model has
     * refused it, and is not asked for it again.
     */
    hasVector: z.boolean().nullable(),
    createdAt: z.date(),
  },
  {
    tenant: { organisation: 'orgId' },
    indexes: [
      { searchScope: 1, searchKeys: 1, createdAt: -1 },
      { documentId: 1, index: 1 },
      { orgId: 1, connectionId: 1 },
      { orgId: 1, hasVector: 1, isHidden: 1, _id: 1 },
    ],
    keys: ['searchScope', 'searchKeys', 'wordCounts'],
  },
);
export type NewChunk = RowOf<typeof chunkRows>;
export type ChunkRow = ReadOf<typeof chunkRows>;
