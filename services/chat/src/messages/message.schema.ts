import type { ConversationId, GenerationId, MessageId, OrgId, UserId } from '@parley/contracts';
import { Schema } from 'mongoose';

export type MessageRow = {
  _id: MessageId;
  orgId: OrgId;
  conversationId: ConversationId;
  position: number;
  sequence: number;
  role: 'person' | 'assistant';
  /** A person's words. An answer's text is its generation's; its end is copied here for the search. */
  text: string;
  createdAt: Date;
  author: { userId: UserId; name: string } | null;
  answerTo: MessageId | null;
  generationId: GenerationId | null;
  searchKeys: string[];
};
export const messageSchema = new Schema<MessageRow>(
  {
    _id: String,
    orgId: String,
    conversationId: String,
    position: Number,
    sequence: Number,
    role: String,
    text: { type: String, default: '' },
    createdAt: Date,
    author: { type: new Schema({ userId: String, name: String }, { _id: false }), default: null },
    answerTo: { type: String, default: null },
    generationId: { type: String, default: null },
    searchKeys: { type: [String], default: [] },
  },
  { collection: 'messages', versionKey: false },
);
messageSchema.index({ conversationId: 1, position: 1 }, { unique: true });
messageSchema.index({ conversationId: 1, sequence: 1 });
messageSchema.index({ searchKeys: 1, createdAt: -1, _id: -1 });
