import { conversationId, fileId } from '@parley/contracts';
import { orgId, userId } from '@parley/protocol';
import { collection, type RowOf } from '@parley/platform/mongo';
import { z } from 'zod';

/** Stores unsent text of a person: one row for each conversation and project, one for a new chat. */
export const draftRows = collection(
  'drafts',
  {
    /** The person's id, joined with the id of the conversation or project or, for a new chat, of the organisation. */
    _id: z.string(),
    orgId,
    userId,
    /** Null for the draft of a new chat. */
    conversationId: conversationId.nullable(),
    text: z.string(),
    revision: z.number().int(),
    others: z.array(z.strictObject({ text: z.string(), at: z.date() })),
    changedAt: z.date(),
    /** An id that the page which wrote the text chose for itself; null if no page wrote it. */
    writer: z.string().nullable(),
    /** Missing if there are no files, and in rows of versions up to 0.2.0. */
    files: z.array(fileId).optional(),
  },
  {
    tenant: { organisation: 'orgId', person: 'userId' },
    indexes: [
      { conversationId: 1 },
      [{ orgId: 1, files: 1 }, { partialFilterExpression: { files: { $exists: true } } }],
    ],
  },
);
export type DraftRow = RowOf<typeof draftRows>;
