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
    /** Null where a version before `readMarks` noted only that they have read it. */
    leafId: messageId.nullable(),
    /** Moved to the conversation by `readMarks`: nothing else reads it. */
    answersSeen: z.number().int().optional(),
    version: z.number().int(),
  },
  { tenant: { organisation: 'orgId', person: 'userId' }, indexes: [{ conversationId: 1 }] },
);
