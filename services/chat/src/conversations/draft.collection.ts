import { conversationId, fileId } from '@parley/contracts';
import { orgId, userId } from '@parley/protocol';
import { collection, type RowOf } from '@parley/platform/mongo';
import { z } from 'zod';

/** Stores what a person typed and didn't send: one for each conversation, one for a new chat. */
export const draftRows = collection(
  'drafts',
  {
    /** Person, and conversation or organisation. */
    _id: z.string(),
    orgId,
    userId,
    /** Null: for a new chat. */
    conversationId: conversationId.nullable(),
    text: z.string(),
    revision: z.number().int(),
    others: z.array(z.strictObject({ text: z.string(), at: z.date() })),
    changedAt: z.date(),
    /** The writer of the text, in its own words. */
    writer: z.string().nullable(),
    /** Missing in rows of versions up to 0.2.0, and if there are none. */
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
