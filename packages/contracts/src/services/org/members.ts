import { defineRoute, orgId, pageOf, pageQuery, timestamp, userId } from '@parley/protocol';
import { z } from 'zod';
import { groupId, pictureId } from '../../ids.ts';
import { plainName } from '../../plain-text.ts';
import { knownPermissions, permission, roleKey } from '../../roles.ts';

export const membershipStatus = z.enum(['active', 'suspended']);
/** How somebody came in. */
export const membershipSource = z.enum(['creator', 'invitation', 'link']);

/** A person inside one organisation. */
export const member = z.strictObject({
  userId,
  name: z.string(),
  picture: pictureId.nullable(),
  /** Null for readers without `member:read_pii`. */
  email: z.string().nullable(),
  role: roleKey,
  groupIds: z.array(groupId).readonly(),
  status: membershipStatus,
  /** Why it was suspended; null while it is active, and for readers without `member:read_pii`. */
  reason: z.string().nullable(),
  source: membershipSource,
  joinedAt: timestamp,
  version: z.number().int(),
});
export type Member = z.infer<typeof member>;

/** `rule` decides in this order; the role is the one that the person has, null without a membership. */
export const accessExplained = z.strictObject({
  isAllowed: z.boolean(),
  role: roleKey.nullable(),
  status: membershipStatus.nullable(),
  steps: z.array(z.strictObject({ rule: z.enum(['membership', 'role', 'ownership']), allows: z.boolean() })),
});
export type AccessExplained = z.infer<typeof accessExplained>;

/** Why something was done to somebody; the audit log and the person read it. */
export const actReason = plainName(300);
const version = z.number().int();
const oneMember = z.strictObject({ userId });
const org = { service: 'org', scope: 'organisation' } as const;

/**
 * By name. `text` finds by the start of any word of the name, for readers with `member:read_pii` of the address too. At
 * most one of `role`, `groupId` and `status` beside it.
 */
export const listMembers = defineRoute({
  ...org,
  permission: 'member:read',
  cost: 'read',
  route: 'GET /api/org/members',
  query: pageQuery
    .extend({
      text: z.string().trim().min(1).max(100).optional(),
      /** Only these, by their ids with a comma between: what an audience names is shown by name. */
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

/** Seats of the organisation: members use them, open invitations by mail hold them. A null limit is none. */
export const getSeats = defineRoute({
  ...org,
  permission: 'member:read',
  cost: 'read',
  route: 'GET /api/org/seats',
  response: z.strictObject({ used: z.number().int(), held: z.number().int(), limit: z.number().int().nullable() }),
});

/**
 * One gives only rights that one has, and changes nobody who has more (`org.beyond-own-rights`); the last owner stays
 * one (`org.last-owner`). Counts within a second: requests, sockets and running answers.
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

/** A suspended person keeps the membership and may do nothing; not oneself, not the last owner. */
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

/** Frees the seat. What the person wrote stays; joining again needs a new invitation. Repeating it is harmless. */
export const removeMember = defineRoute({
  ...org,
  permission: 'member:remove',
  cost: 'write',
  route: 'DELETE /api/org/members/:userId',
  status: 204,
  params: oneMember,
  query: z.strictObject({ reason: actReason }),
});

/** The other one becomes owner, the caller an admin, in one step. The other one must be active. */
export const transferOwnership = defineRoute({
  ...org,
  permission: 'org:transfer',
  cost: 'write',
  route: 'POST /api/org/ownership',
  status: 204,
  body: z.strictObject({ userId }),
});

/** The last owner cannot: `org.last-owner`. Repeating it is harmless. */
export const leaveOrganisation = defineRoute({
  service: 'org',
  scope: 'person',
  cost: 'write',
  route: 'DELETE /api/org/organisations/:orgId/membership',
  status: 204,
  params: z.strictObject({ orgId }),
});

/** May this person do that to such a thing? The rules in the order in which they decide, the result last. */
export const checkAccess = defineRoute({
  ...org,
  permission: 'role:read',
  cost: 'report',
  route: 'GET /api/org/members/:userId/access',
  params: oneMember,
  query: z.strictObject({ permission, thing: z.enum(['organisation', 'own', 'of-others']) }),
  response: accessExplained,
});

/** Members among or beside these people, by name and filtered as `listMembers`; for services that know more of them. */
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

/** Active members who have the right, by name. */
export const listHolders = defineRoute({
  service: 'org',
  route: 'GET /internal/org/organisations/:orgId/holders',
  scope: 'internal',
  params: z.strictObject({ orgId }),
  query: z.strictObject({ permission, limit: z.coerce.number().int().min(1).max(100) }),
  response: z.strictObject({ items: z.array(z.strictObject({ userId, name: z.string() })) }),
});

/**
 * Effective permissions and rights version of a person in an organisation; 404 `org.organisation-not-found` when not a
 * member, 403 `org.organisation-suspended`. Sessions that began until `accessEnd` do not open the organisation any more.
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
    /** Role and the organisation's name are absent where an earlier version answers. */
    role: roleKey.optional(),
    organisationName: z.string().optional(),
    accessEnd: z.strictObject({ at: timestamp, reason: z.string() }).nullable(),
    /** Absent where an earlier version answers. */
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
