import { orgId, orgRole, userId } from '@parley/contracts';
import { collection } from '@parley/platform/mongo';
import { z } from 'zod';

export const organisationRows = collection(
  'organisations',
  {
    _id: orgId,
    name: z.string(),
    slug: z.string(),
    createdBy: userId,
    createdAt: z.date(),
    memberCount: z.number(),
    ownerCount: z.number(),
    version: z.number(),
  },
  { tenant: { organisation: '_id' }, indexes: [[{ slug: 1 }, { unique: true }]] },
);

export const membershipRows = collection(
  'memberships',
  {
    /** `<organisation>/<person>` */
    _id: z.string(),
    orgId,
    userId,
    role: orgRole,
    rightsVersion: z.number(),
    joinedAt: z.date(),
  },
  { tenant: { organisation: 'orgId', person: 'userId' }, indexes: [{ userId: 1, _id: 1 }] },
);
