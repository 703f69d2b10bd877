import { conversationId, messageId } from '@parley/contracts';
import { orgId, userId } from '@parley/protocol';
import { collection } from '@parley/platform/mongo';
import { z } from 'zod';

/** Stores a person's reading position in a conversation: the end of their last path, the same on all devices. */
export const readingPlaceRows = collection(
  'reading_places',
  {
    /** Conversation and person. */
    _id: z.string(),
    orgId,
    conversationId,
    userId,
    /** Null if a version before `readMarks` stored only that the person read the conversation. */
    leafId: messageId.nullable(),
    /** Moved to the conversation by `readMarks`, the only code that reads it here. */
    answersSeen: z.number().int().optional(),
    version: z.number().int(),
  },
  { tenant: { organisation: 'orgId', person: 'userId' }, indexes: [{ conversationId: 1 }] },
);
