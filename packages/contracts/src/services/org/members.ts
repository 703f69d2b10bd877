import { defineRoute, orgId, pageOf, pageQuery, timestamp, userId } from '@parley/protocol';
import { z } from 'zod';
import { groupId, pictureId } from '../../ids.ts';
import { plainName } from '../../plain-text.ts';
import { knownPermissions, permission, roleKey } from '../../roles.ts';

export const membershipStatus = z.enum(['active', 'suspended']);
/** How a person joined. */
export const membershipSource = z.enum(['creator', 'invitation', 'link']);

/** A person in one organisation. */
export const member = z.strictObject({
  userId,
  name: z.string(),
  picture: pictureId.nullable(),
  /** Null for readers without `member:read_pii`. */
  email: z.string().nullable(),
  role: roleKey,
  groupIds: z.array(groupId).readonly(),
  status: membershipStatus,
  /** Why the member is suspended; null if active, and for readers without `member:read_pii`. */
  reason: z.string().nullable(),
  source: membershipSource,
  joinedAt: timestamp,
  version: z.number().int(),
});
export type Member = z.infer<typeof member>;

/**
 * Explains a decision about access. The values of `rule` decide in this order. `role` is the person's role, null
 * without a membership.
 */
export const accessExplained = z.strictObject({
  isAllowed: z.boolean(),
  role: roleKey.nullable(),
  status: membershipStatus.nullable(),
  steps: z.array(z.strictObject({ rule: z.enum(['membership', 'role', 'ownership']), allows: z.boolean() })),
});
export type AccessExplained = z.infer<typeof accessExplained>;

/** The reason of an act on a person, shown in the audit log and to the person. */
export const actReason = plainName(300);
const version = z.number().int();
const oneMember = z.strictObject({ userId });
const org = { service: 'org', scope: 'organisation' } as const;

/**
 * Lists members by name. `text` matches the beginning of any word of the name, and of the email address for readers
 * with `member:read_pii`. At most one of `role`, `groupId` and `status` besides it.
 */
export const listMembers = defineRoute({
  ...org,
  permission: 'member:read',
  cost: 'read',
  route: 'GET /api/org/members',
  query: pageQuery
    .extend({
      text: z.string().trim().min(1).max(100).optional(),
      /** Only these ids, separated by commas, for example to show the names of an audience. */
      ids: z
        .string()
        .regex(/^usr_[0-9A-Z]{26}(?:,usr_[0-9A-Z]{26}){0,99}$/, 'must be up to 100 usr_ ids')
        .optional(),
      role: roleKey.optional(),
      groupId: groupId.optional(),
      status: membershipStatus.optional(),
    })
    .refine(
      ({ role, groupId, status }) => [role, groupId, status].filter((one) => one !== undefined).length < 2,
      'at most one of role, groupId and status',
    ),
  response: pageOf(member),
});

/** Returns the seats: members use them, and open invitations by email reserve them. `limit` null: no limit. */
export const getSeats = defineRoute({
  ...org,
  permission: 'member:read',
  cost: 'read',
  route: 'GET /api/org/seats',
  response: z.strictObject({ used: z.number().int(), held: z.number().int(), limit: z.number().int().nullable() }),
});

/**
 * Changes a member's role; requests, sockets and running answers follow within a second. Callers can grant only
 * permissions that they have, and change nobody who has more (`org.beyond-own-rights`). The last owner stays owner
 * (`org.last-owner`).
 */
export const changeMemberRole = defineRoute({
  ...org,
  permission: 'member:update_role',
  cost: 'write',
  route: 'PUT /api/org/members/:userId/role',
  params: oneMember,
  body: z.strictObject({ version, role: roleKey }),
  response: member,
});

/**
 * Suspends or reactivates a member. A suspended person keeps the membership and has no access. Refused for the caller
 * and for the last owner.
 */
export const changeMemberStatus = defineRoute({
  ...org,
  permission: 'member:suspend',
  cost: 'write',
  route: 'PUT /api/org/members/:userId/status',
  params: oneMember,
  body: z.discriminatedUnion('status', [
    z.strictObject({ version, status: z.literal('suspended'), reason: actReason }),
    z.strictObject({ version, status: z.literal('active') }),
  ]),
  response: member,
});

export const changeMemberGroups = defineRoute({
  ...org,
  permission: 'group:manage',
  cost: 'write',
  route: 'PUT /api/org/members/:userId/groups',
  params: oneMember,
  body: z.strictObject({ version, groupIds: z.array(groupId).max(20) }),
  response: member,
});

/** Removes a member and frees the seat. What they wrote stays, and joining again needs a new invitation. Idempotent. */
export const removeMember = defineRoute({
  ...org,
  permission: 'member:remove',
  cost: 'write',
  route: 'DELETE /api/org/members/:userId',
  status: 204,
  params: oneMember,
  query: z.strictObject({ reason: actReason }),
});

/**
 * Transfers ownership: the other person becomes owner and the caller admin, in one step. The other person must be
 * active.
 */
export const transferOwnership = defineRoute({
  ...org,
  permission: 'org:transfer',
  cost: 'write',
  route: 'POST /api/org/ownership',
  status: 204,
  body: z.strictObject({ userId }),
});

/** Leaves the organisation; not for the last owner (`org.last-owner`). Idempotent. */
export const leaveOrganisation = defineRoute({
  service: 'org',
  scope: 'person',
  cost: 'write',
  route: 'DELETE /api/org/organisations/:orgId/membership',
  status: 204,
  params: z.strictObject({ orgId }),
});

/** Explains whether a person can do something to a thing: the rules in their order, the result last. */
export const checkAccess = defineRoute({
  ...org,
  permission: 'role:read',
  cost: 'report',
  route: 'GET /api/org/members/:userId/access',
  params: oneMember,
  query: z.strictObject({ permission, thing: z.enum(['organisation', 'own', 'of-others']) }),
  response: accessExplained,
});

/**
 * Lists the members among these people, or all members except them, by name and filtered as in `listMembers`, for
 * services that know more about them.
 */
export const findMembers = defineRoute({
  service: 'org',
  route: 'POST /internal/org/organisations/:orgId/members/find',
  scope: 'internal',
  params: z.strictObject({ orgId }),
  body: z.strictObject({
    ...pageQuery.shape,
    /** Only these people. */
    among: z.array(userId).optional(),
    /** Everybody but these. */
    except: z.array(userId).optional(),
    text: z.string().optional(),
    role: roleKey.optional(),
    groupId: groupId.optional(),
  }),
  response: pageOf(member),
});

/** Lists active members with the permission, by name. */
export const listHolders = defineRoute({
  service: 'org',
  route: 'GET /internal/org/organisations/:orgId/holders',
  scope: 'internal',
  params: z.strictObject({ orgId }),
  query: z.strictObject({ permission, limit: z.coerce.number().int().min(1).max(100) }),
  response: z.strictObject({ items: z.array(z.strictObject({ userId, name: z.string() })) }),
});

/**
 * Returns a person's permissions and their version in an organisation. 404 `org.organisation-not-found` if they aren't
 * a member, 403 `org.organisation-suspended`. Sessions that began before `accessEnd` have no access to the
 * organisation.
 */
export const getMembership = defineRoute({
  service: 'org',
  route: 'GET /internal/org/organisations/:orgId/members/:userId',
  scope: 'internal',
  params: z.strictObject({ orgId, userId }),
  response: z.strictObject({
    orgId,
    userId,
    permissions: knownPermissions,
    rightsVersion: z.number().int(),
    /** Role and the organisation's name are missing in responses of an earlier version. */
    role: roleKey.optional(),
    organisationName: z.string().optional(),
    accessEnd: z.strictObject({ at: timestamp, reason: z.string() }).nullable(),
    /** Missing in responses of an earlier version. */
    groupIds: z.array(groupId).readonly().optional(),
  }),
});

export const memberRoutes = {
  listMembers,
  getSeats,
  changeMemberRole,
  changeMemberStatus,
  changeMemberGroups,
  removeMember,
  transferOwnership,
  leaveOrganisation,
  checkAccess,
  findMembers,
  listHolders,
  getMembership,
};
