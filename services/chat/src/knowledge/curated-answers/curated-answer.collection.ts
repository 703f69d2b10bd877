import { chatbotId, curatedAnswerId } from '@parley/contracts';
import { orgId, userId } from '@parley/protocol';
import { collection, type ReadOf, type RowOf } from '@parley/platform/mongo';
import { z } from 'zod';

/** What an organisation wants to be said where it is asked for it. */
export const curatedAnswerRows = collection(
  'curated_answers',
  {
    _id: curatedAnswerId,
    orgId,
    questions: z.array(z.string()),
    text: z.string(),
    chatbotId: chatbotId.nullable(),
    isActive: z.boolean(),
    author: z.strictObject({ userId, name: z.string() }),
    editedAt: z.date(),
    revision: z.number().int(),
    /** Whose words they are, and each different one of the questions. */
    searchScope: z.string(),
    searchKeys: z.array(z.string()),
  },
  {
    tenant: { organisation: 'orgId' },
    indexes: [
      { orgId: 1, _id: -1 },
      { searchScope: 1, searchKeys: 1, _id: -1 },
    ],
    keys: ['searchScope', 'searchKeys'],
  },
);
export type NewCuratedAnswer = RowOf<typeof curatedAnswerRows>;
export type CuratedAnswerRow = ReadOf<typeof curatedAnswerRows>;
