import { connectionId, document, documentId, documentProgress } from '@parley/contracts';
import { orgId } from '@parley/protocol';
import { collection, type ReadOf, type RowOf } from '@parley/platform/mongo';
import { z } from 'zod';

export const documentRows = collection(
  'documents',
  {
    _id: documentId,
    orgId,
    /** Null, or absent in what earlier versions have written: of the connection that every organisation begins with. */
    connectionId: connectionId.nullable(),
    name: z.string(),
    nameKeys: z.array(z.string()),
    mediaType: document.shape.mediaType,
    bytes: z.number(),
    /**
     * Names the blob of the file; each version has its own key. Null if the document has no file. Absent in rows of earlier
     * versions, whose key derives from the id.
     */
    fileKey: z.string().nullable().optional(),
    status: document.shape.status,
    failure: document.shape.failure,
    /** Absent in what earlier versions have written. */
    unreadAttachments: document.shape.unreadAttachments.optional(),
    progress: documentProgress.nullable().optional(),
    passageCount: z.number(),
    /** Of the texts of its passages, as they count for storage; absent in what earlier versions have written. */
    textBytes: z.number().int().optional(),
    uploadedBy: z.string(),
    createdAt: z.date(),
    /** Absent in what earlier versions have written: of when it was uploaded. */
    asOf: z.date().optional(),
    /** Since when it waits to be read, by our clock, and for whom: who uploaded it, or its connection; both absent in what earlier versions have written. */
    queuedAt: z.date().optional(),
    queuedBy: z.string().optional(),
    indexedAt: z.date().nullable(),
    isDeleted: z.boolean(),
    deletedAt: z.date().nullable(),
    /** Its erasing has begun: nobody restores or replaces it any more; absent otherwise. */
    isErasing: z.boolean().optional(),
    /** The reader that has it; free again after this moment. */
    leaseUntil: z.date().nullable(),
    /** Whether it waits for the turn of documents that take long; absent unless its reader broke off for that. */
    takesLong: z.boolean().optional(),
    version: z.number(),
    /** Where it is in its source, and how the source told one state of it from another; absent, as is the rest, in what earlier versions have written. */
    address: z.string().max(2_000).nullable(),
    etag: z.string().nullable(),
    lastModified: z.string().nullable(),
    hash: z.string().nullable(),
    triedAt: z.date().nullable(),
    /** The last sync of its connection that has seen it. */
    seenRun: z.number().int().nullable(),
  },
  {
    tenant: { organisation: 'orgId' },
    indexes: [
      { orgId: 1, isDeleted: 1, status: 1, connectionId: 1, _id: -1 },
      { orgId: 1, isDeleted: 1, connectionId: 1, _id: -1 },
      { connectionId: 1, isDeleted: 1, seenRun: 1 },
      { nameKeys: 1 },
      { orgId: 1, isDeleted: 1, connectionId: 1, deletedAt: -1, _id: -1 },
    ],
    keys: ['nameKeys'],
  },
);
export type NewDocument = RowOf<typeof documentRows>;
export type DocumentRow = ReadOf<typeof documentRows>;
