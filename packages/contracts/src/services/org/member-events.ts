import { defineEvent, orgId, userId } from '@parley/protocol';
import { z } from 'zod';
import { auditValues, changesBetween } from '../../events/audit.ts';
import { groupId } from '../../ids.ts';
import { roleKey } from '../../roles.ts';
import { membershipStatus } from './members.ts';

/**
 * A person joined an organisation. `rightsVersion` is the organisation's, and grows with each change of permissions in
 * it.
 */
export const membershipAdded = defineEvent('membership.added.v1', 'org', {
  data: z.object({
    orgId,
    userId,
    role: roleKey,
    rightsVersion: z.number().int(),
    /**
     * For the audit log: how the person joined, by an email or a link. Missing for founders, and in events of earlier
     * versions.
     */
    joinedBy: z.enum(['invitation', 'link']).optional(),
  }),
  key: 'orgId',
  identity: ['userId', 'rightsVersion'],
  live: { room: 'person', resources: ['organisations'] },
  audit: ({ userId: by, role, joinedBy }) =>
    joinedBy
      ? {
          act: 'member.joined',
          by,
          target: { of: 'person', id: by, name: null },
          changes: changesBetween(null, { role: auditValues.role(role), joinedBy: auditValues.code(joinedBy) }),
        }
      : null,
  outside: ['userId', 'role'],
});
const standing = z.object({ role: roleKey.optional(), groupIds: z.array(groupId).readonly().optional() });
const memberAct = z.object({
  did: z.enum(['role-changed', 'suspended', 'restored', 'groups-changed', 'access-ended', 'ownership-transferred']),
  before: standing.optional(),
  after: standing.optional(),
  reason: z.string().nullable(),
});
export type MemberAct = z.infer<typeof memberAct>;
const standingFields = ({ role, groupIds }: z.infer<typeof standing>) => ({
  ...(role && { role: auditValues.role(role) }),
  ...(groupIds && { groups: auditValues.groups(groupIds) }),
});

export const membershipChanged = defineEvent('membership.changed.v1', 'org', {
  data: z.object({
    orgId,
    userId,
    role: roleKey,
    status: membershipStatus,
    rightsVersion: z.number().int(),
    /**
     * For the audit log: what a person did. Missing if the change follows from something else, and in events of earlier
     * versions.
     */
    act: memberAct.optional(),
  }),
  key: 'orgId',
  live: { room: 'organisation', permission: 'member:read', resources: ['members', 'roles', 'groups', 'active-users'] },
  audit: ({ userId: id, act }) =>
    act
      ? {
          act: act.did === 'ownership-transferred' ? 'ownership.transferred' : `member.${act.did}`,
          target: { of: 'person', id, name: null },
          changes: changesBetween(
            act.before ? standingFields(act.before) : null,
            act.after ? standingFields(act.after) : null,
          ),
          reason: act.reason,
        }
      : null,
  outside: ['userId', 'role', 'status'],
});
export const membershipRemoved = defineEvent('membership.removed.v1', 'org', {
  data: z.object({
    orgId,
    userId,
    how: z.enum(['left', 'removed']),
    rightsVersion: z.number().int(),
    /** For the audit log: the former member. Missing in events of earlier versions. */
    was: z.object({ name: z.string(), role: roleKey, reason: z.string().nullable() }).optional(),
  }),
  key: 'orgId',
  live: {
    room: 'organisation',
    permission: 'member:read',
    resources: ['members', 'roles', 'groups', 'seats', 'seat-offer', 'active-users'],
  },
  audit: ({ userId: id, how, was }) =>
    was
      ? {
          act: `member.${how}`,
          target: { of: 'person', id, name: was.name },
          changes: changesBetween({ role: auditValues.role(was.role) }, null),
          reason: was.reason,
        }
      : null,
  outside: ['userId', 'how'],
});
