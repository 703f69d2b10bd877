import { conversationId, messageId } from '@parley/contracts';
import { orgId, userId } from '@parley/protocol';
import { collection } from '@parley/platform/mongo';
import { z } from 'zod';

/** Where a person reads in a conversation: the end of the path they were on last, the same on all of their devices. */
export const readingPlaceRows = collection(
  'reading_places',
  {
    /** Conversation and person. */
    _id: z.string(),
    orgId,
    conversationId,
    userId,
    /** Null where they have only read it. */
    leafId: messageId.nullable(),
    /** Of the answers that have ended, so many were seen; absent: none. */
    answersSeen: z.number().int().optional(),
    version: z.number().int(),
  },
  { tenant: { organisation: 'orgId', person: 'userId' }, indexes: [{ conversationId: 1 }] },
);
