import { chatExport, exportId } from '@parley/contracts';
import { orgId, userId } from '@parley/protocol';
import { collection, type RowOf } from '@parley/platform/mongo';
import { z } from 'zod';

/** An export of all that a person has in an organisation; the ZIP is a blob. */
export const exportRows = collection(
  'chat_exports',
  {
    _id: exportId,
    orgId,
    userId,
    /** In which the Markdown is written. */
    locale: z.string(),
    status: chatExport.shape.status,
    failure: chatExport.shape.failure,
    chats: z.number().int(),
    files: z.number().int(),
    /** Of the ZIP, as it counts for storage; 0 until it is ready. */
    bytes: z.number().int(),
    createdAt: z.date(),
    /** It waits or is being written. */
    isPending: z.boolean(),
    /** How often it was begun to be written; each attempt writes a blob of its own. */
    attempts: z.number().int(),
    /** When it is deleted; null while it is pending. */
    eraseAt: z.date().nullable(),
    /** Its erasing has begun: for everybody it is gone. */
    isErasing: z.boolean(),
  },
  {
    tenant: { organisation: 'orgId', person: 'userId' },
    indexes: [
      { orgId: 1, userId: 1, isErasing: 1, createdAt: -1, _id: -1 },
      // One of a person is pending at a time.
      [
        { orgId: 1, userId: 1 },
        { unique: true, partialFilterExpression: { isPending: true } },
      ],
    ],
  },
);
export type ExportRow = RowOf<typeof exportRows>;
