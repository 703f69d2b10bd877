import { chatFile, documentProgress, fileId, groupId, imageSize } from '@parley/contracts';
import { orgId, userId } from '@parley/protocol';
import { collection, type RowOf } from '@parley/platform/mongo';
import { z } from 'zod';

/** A file that a person attached to questions or drafts. Its content never changes. */
export const fileRows = collection(
  'chat_files',
  {
    _id: fileId,
    orgId,
    /** Who uploaded it. */
    userId,
    /** Their groups at that time; absent in what 0.2.0 has written. */
    groupIds: z.array(groupId).optional(),
    name: z.string(),
    mediaType: chatFile.shape.mediaType,
    bytes: z.number().int(),
    /** Names the blob of the content; each upload has its own key. Absent in older rows, whose key derives from the id. */
    fileKey: z.string().optional(),
    status: chatFile.shape.status,
    failure: chatFile.shape.failure,
    progress: documentProgress.nullable(),
    tokens: chatFile.shape.tokens,
    pages: chatFile.shape.pages,
    /** Absent of what was uploaded before there were images. */
    image: imageSize.nullable().optional(),
    passageCount: z.number().int(),
    /** Of the texts of its passages, or of an image as models see it, as they count for storage. */
    textBytes: z.number().int(),
    /** Of the vectors of its passages, as they count for storage; absent before the first. */
    vectorBytes: z.number().int().optional(),
    createdAt: z.date(),
    /** For whom it waits to be read. */
    queuedBy: z.string(),
    /** The reader that has it; free again after this moment. */
    leaseUntil: z.date().nullable(),
    /** Whether it waits for the turn of files that take long. */
    takesLong: z.boolean(),
    /** From then on it is erased unless something refers to it; null while nobody has let go of it. */
    checkAt: z.date().nullable(),
    /** Its erasing has begun: for everybody it is gone. */
    isErasing: z.boolean(),
    version: z.number().int(),
  },
  { tenant: { organisation: 'orgId', person: 'userId' }, indexes: [{ orgId: 1, userId: 1 }] },
);
export type FileRow = RowOf<typeof fileRows>;
