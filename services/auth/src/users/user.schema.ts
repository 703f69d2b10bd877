import type { Locale, PlatformRole, UserId } from '@parley/contracts';
import { Schema } from 'mongoose';

export type UserRow = {
  _id: UserId;
  email: string;
  name: string;
  locale: Locale;
  platformRole: PlatformRole | null;
  createdAt: Date;
  version: number;
};
export const userSchema = new Schema<UserRow>(
  {
    _id: String,
    email: String,
    name: String,
    locale: String,
    platformRole: { type: String, default: null },
    createdAt: Date,
    version: Number,
  },
  { collection: 'users', versionKey: false },
);
userSchema.index({ email: 1 }, { unique: true });
userSchema.index({ platformRole: 1, _id: 1 }, { partialFilterExpression: { platformRole: 'admin' } });

/** Apart from the user, so that no read of a user can carry the hash along. */
export type CredentialRow = { _id: UserId; passwordHash: string; changedAt: Date };
export const credentialSchema = new Schema<CredentialRow>(
  { _id: String, passwordHash: String, changedAt: Date },
  { collection: 'credentials', versionKey: false },
);

/** Exists once the first platform admin has registered: its unique id makes the setup link single-use. */
export type SetupRow = { _id: 'platform-admin'; userId: UserId; at: Date };
export const setupSchema = new Schema<SetupRow>(
  { _id: String, userId: String, at: Date },
  { collection: 'setup', versionKey: false },
);
