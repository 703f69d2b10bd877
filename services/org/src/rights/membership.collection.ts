import { accessEndId, groupId, membershipSource, membershipStatus, pictureId, roleKey } from '@parley/contracts';
import { orgId, userId } from '@parley/protocol';
import { collection, type ReadOf } from '@parley/platform/mongo';
import { z } from 'zod';

export const membershipRows = collection(
  'memberships',
  {
    /** `<organisation>/<person>` */
    _id: z.string(),
    orgId,
    userId,
    role: roleKey,
    groupIds: z.array(groupId),
    status: membershipStatus,
    /** Why it was suspended. */
    reason: z.string().nullable(),
    source: membershipSource,
    joinedAt: z.date(),
    /** When an admin last ended what the person did here, and why; absent in what earlier versions have written. */
    accessEnd: z.strictObject({ id: accessEndId, at: z.date(), reason: z.string() }).nullable(),
    /** A copy of what auth says of the person, and of which version of it. */
    name: z.string(),
    /** Absent in what earlier versions have written. */
    picture: pictureId.nullable().optional(),
    email: z.string().nullable(),
    personVersion: z.number(),
    /** By which lists are ordered. */
    sortName: z.string(),
    nameWords: z.array(z.string()),
    /** Of the name and the address. */
    words: z.array(z.string()),
    version: z.number(),
  },
  {
    tenant: { organisation: 'orgId', person: 'userId' },
    indexes: [
      { userId: 1, _id: 1 },
      { orgId: 1, sortName: 1, _id: 1 },
      { orgId: 1, role: 1, sortName: 1, _id: 1 },
      { orgId: 1, status: 1, sortName: 1, _id: 1 },
      { orgId: 1, groupIds: 1, sortName: 1, _id: 1 },
      { orgId: 1, nameWords: 1 },
      { orgId: 1, words: 1 },
      { orgId: 1, email: 1 },
      [{ personVersion: 1 }, { partialFilterExpression: { personVersion: 0 } }],
    ],
    keys: ['nameWords', 'words'],
  },
);
export type MembershipRow = ReadOf<typeof membershipRows>;
