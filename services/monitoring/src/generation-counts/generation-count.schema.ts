import type { OrgId } from '@parley/contracts';
import { Schema } from 'mongoose';

/** One document per organisation; every field only grows. */
export type GenerationCountRow = {
  _id: OrgId;
  queued: number;
  done: number;
  stopped: number;
  failed: number;
  interrupted: number;
  inputTokens: number;
  outputTokens: number;
  since: Date;
};
export const generationCountSchema = new Schema<GenerationCountRow>(
  {
    _id: String,
    queued: Number,
    done: Number,
    stopped: Number,
    failed: Number,
    interrupted: Number,
    inputTokens: Number,
    outputTokens: Number,
    since: Date,
  },
  { collection: 'generation_counts', versionKey: false },
);
