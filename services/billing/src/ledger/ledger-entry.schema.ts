import type { ConversationId, GenerationId, LedgerEntryId, OrgId, UserId } from '@parley/contracts';
import { Schema } from 'mongoose';

export type LedgerEntryRow = {
  _id: LedgerEntryId;
  orgId: OrgId;
  generationId: GenerationId;
  attempt: number;
  conversationId: ConversationId;
  userId: UserId;
  model: string;
  inputTokens: number;
  outputTokens: number;
  estimated: boolean;
  outcome: 'done' | 'stopped' | 'failed' | 'interrupted';
  costMicros: number;
  at: Date;
};
export const ledgerEntrySchema = new Schema<LedgerEntryRow>(
  {
    _id: String,
    orgId: String,
    generationId: String,
    attempt: Number,
    conversationId: String,
    userId: String,
    model: String,
    inputTokens: Number,
    outputTokens: Number,
    estimated: Boolean,
    outcome: String,
    costMicros: Number,
    at: Date,
  },
  { collection: 'ledger_entries', versionKey: false },
);
ledgerEntrySchema.index({ orgId: 1, _id: -1 });
ledgerEntrySchema.index({ orgId: 1, generationId: 1, attempt: 1 });
