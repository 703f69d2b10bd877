import type { OrgId, UserId } from '@parley/contracts';
import { Schema } from 'mongoose';

/** `_id` is the hash of the session id: the store alone signs nobody in. */
export type SessionRow = {
  _id: string;
  userId: UserId;
  defaultOrgId: OrgId | null;
  createdAt: Date;
  idleUntil: Date;
  absoluteUntil: Date;
};
export const sessionSchema = new Schema<SessionRow>(
  {
    _id: String,
    userId: String,
    defaultOrgId: { type: String, default: null },
    createdAt: Date,
    idleUntil: Date,
    absoluteUntil: Date,
  },
  { collection: 'sessions', versionKey: false },
);
sessionSchema.index({ userId: 1, createdAt: -1 });
sessionSchema.index({ absoluteUntil: 1 }, { expireAfterSeconds: 0 });
