import { Schema } from 'mongoose';
import type { StoredConversation } from './conversation.ts';

export type ConversationRow = { -readonly [Field in keyof StoredConversation]: StoredConversation[Field] };
export const conversationSchema = new Schema<ConversationRow>(
  {
    _id: String,
    orgId: String,
    ownerId: String,
    title: String,
    sequence: Number,
    lastPosition: Number,
    running: { type: new Schema({ generationId: String, answerId: String }, { _id: false }), default: null },
    isDeleted: Boolean,
    deletedAt: { type: Date, default: null },
    createdAt: Date,
    lastActivityAt: Date,
    version: Number,
  },
  { collection: 'conversations', versionKey: false },
);
conversationSchema.index({ orgId: 1, ownerId: 1, isDeleted: 1, lastActivityAt: -1, _id: -1 });
conversationSchema.index({ isDeleted: 1, deletedAt: 1 });
