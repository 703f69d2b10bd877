import { Schema } from 'mongoose';
import type { Generation } from './generation.ts';

export type GenerationRow = { -readonly [Field in keyof Generation]: Generation[Field] };
const nullable = (type: StringConstructor | DateConstructor) => ({ type, default: null });
export const generationSchema = new Schema<GenerationRow>(
  {
    _id: String,
    orgId: String,
    conversationId: String,
    questionId: String,
    answerId: String,
    userId: String,
    locale: String,
    modelKey: String,
    modelLabel: String,
    status: String,
    epoch: Number,
    handOvers: Number,
    leaseHolder: nullable(String),
    leaseUntil: nullable(Date),
    stopRequested: { type: Boolean, default: false },
    text: { type: String, default: '' },
    textEpoch: { type: Number, default: 0 },
    citations: {
      type: [
        new Schema(
          { number: Number, documentId: String, chunkId: String, documentName: String, heading: nullable(String) },
          { _id: false },
        ),
      ],
      default: [],
    },
    usage: {
      type: new Schema({ inputTokens: Number, outputTokens: Number, estimated: Boolean }, { _id: false }),
      default: null,
    },
    failure: nullable(String),
    failureDetail: nullable(String),
    queuedAt: Date,
    startedAt: nullable(Date),
    firstTokenAt: nullable(Date),
    resumedAt: nullable(Date),
    finishedAt: nullable(Date),
  },
  { collection: 'generations', versionKey: false },
);
generationSchema.index({ conversationId: 1, _id: 1 });
generationSchema.index({ status: 1, queuedAt: 1 });
