import { conversationId, messageId } from '@parley/contracts';
import { orgId, userId } from '@parley/protocol';
import { collection } from '@parley/platform/mongo';
import { z } from 'zod';

/** Stores where a person reads in a conversation: the end of their last path, the same on all of their devices. */
export const readingPlaceRows = collection(
  'reading_places',
  {
    /** Conversation and person. */
    _id: z.string(),
    orgId,
    conversationId,
    userId,
    /** Null if a version before `readMarks` stored only that they read it. */
    leafId: messageId.nullable(),
    /** Moved to the conversation by `readMarks`: nothing else reads it. */
    answersSeen: z.number().int().optional(),
    version: z.number().int(),
  },
  { tenant: { organisation: 'orgId', person: 'userId' }, indexes: [{ conversationId: 1 }] },
);
