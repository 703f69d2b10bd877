import type { OrgId, ProviderId, UserId } from '@parley/contracts';
import { Schema } from 'mongoose';

export type ProviderRow = {
  _id: ProviderId;
  orgId: OrgId;
  name: string;
  baseUrl: string;
  sealedKey: string | null;
  keyHint: string | null;
  models: string[];
  defaultModel: string;
  isDefault: boolean;
  createdAt: Date;
  version: number;
};
export const providerSchema = new Schema<ProviderRow>(
  {
    _id: String,
    orgId: String,
    name: String,
    baseUrl: String,
    sealedKey: { type: String, default: null },
    keyHint: { type: String, default: null },
    models: [String],
    defaultModel: String,
    isDefault: Boolean,
    createdAt: Date,
    version: Number,
  },
  { collection: 'providers', versionKey: false },
);
providerSchema.index({ orgId: 1, _id: 1 });

/** A non-public address that a platform admin has agreed to, for the whole installation. */
export type ConsentRow = { _id: string; givenBy: UserId; at: Date };
export const consentSchema = new Schema<ConsentRow>(
  { _id: String, givenBy: String, at: Date },
  { collection: 'outbound_consents', versionKey: false },
);
