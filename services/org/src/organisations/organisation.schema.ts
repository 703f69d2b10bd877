import type { OrgId, OrgRole, UserId } from '@parley/contracts';
import { Schema } from 'mongoose';

export type OrganisationRow = {
  _id: OrgId;
  name: string;
  slug: string;
  createdBy: UserId;
  createdAt: Date;
  memberCount: number;
  ownerCount: number;
  version: number;
};
export const organisationSchema = new Schema<OrganisationRow>(
  {
    _id: String,
    name: String,
    slug: String,
    createdBy: String,
    createdAt: Date,
    memberCount: Number,
    ownerCount: Number,
    version: Number,
  },
  { collection: 'organisations', versionKey: false },
);
organisationSchema.index({ slug: 1 }, { unique: true });

export type MembershipRow = {
  _id: string;
  orgId: OrgId;
  userId: UserId;
  role: OrgRole;
  rightsVersion: number;
  joinedAt: Date;
};
export const membershipSchema = new Schema<MembershipRow>(
  { _id: String, orgId: String, userId: String, role: String, rightsVersion: Number, joinedAt: Date },
  { collection: 'memberships', versionKey: false },
);
membershipSchema.index({ userId: 1, orgId: 1 }, { unique: true });
membershipSchema.index({ orgId: 1, userId: 1 });
