import { defineEvent, defineRoute, orgId, userId } from '@parley/protocol';
import { z } from 'zod';
import { groupId } from '../../ids.ts';
import { auditValues, changesBetween } from '../../events/audit.ts';
import { plainName } from '../../plain-text.ts';

/** A group: people under a name, not nested, without permissions. */
export const group = z.strictObject({
  id: groupId,
  name: z.string(),
  memberCount: z.number().int(),
  version: z.number().int(),
});
export type Group = z.infer<typeof group>;

const groupName = plainName(60);
const oneGroup = z.strictObject({ groupId });
const manage = { service: 'org', scope: 'organisation', permission: 'group:manage' } as const;

/** Lists all groups by name, at most 200. */
export const listGroups = defineRoute({
  service: 'org',
  scope: 'organisation',
  permission: 'group:read',
  cost: 'read',
  route: 'GET /api/org/groups',
  response: z.strictObject({ items: z.array(group) }),
});
/** Creates a group. `org.name-taken` if the name is taken; renaming refuses a taken name too. Idempotent by id. */
export const createGroup = defineRoute({
  ...manage,
  route: 'POST /api/org/groups',
  cost: 'write',
  status: 201,
  body: z.strictObject({ id: groupId, name: groupName }),
  response: group,
});
export const renameGroup = defineRoute({
  ...manage,
  route: 'PATCH /api/org/groups/:groupId',
  cost: 'write',
  params: oneGroup,
  body: z.strictObject({ version: z.number().int(), name: groupName }),
  response: group,
});
/** Deletes a group. Its members stay in the organisation. */
export const deleteGroup = defineRoute({
  ...manage,
  route: 'DELETE /api/org/groups/:groupId',
  cost: 'bulk',
  status: 204,
  params: oneGroup,
});

/** Lists all groups by name with their members, for services that add up figures by group. */
export const listGroupMembers = defineRoute({
  service: 'org',
  scope: 'internal',
  route: 'GET /internal/org/organisations/:orgId/group-members',
  params: z.strictObject({ orgId }),
  response: z.strictObject({
    items: z.array(z.strictObject({ id: groupId, name: z.string(), userIds: z.array(userId) })),
  }),
});

export const groupChanged = defineEvent('group.changed.v1', 'org', {
  data: z.object({
    orgId,
    groupId,
    change: z.enum(['created', 'updated', 'deleted']),
    /** The act for the audit log. Missing in events of earlier versions. */
    act: z.object({ name: z.string(), before: z.string().nullable() }).optional(),
  }),
  key: 'orgId',
  live: { room: 'organisation', permission: 'group:read', resources: ['groups', 'members'] },
  audit: ({ groupId: id, change, act }) =>
    act
      ? {
          act: change === 'updated' ? 'group.renamed' : `group.${change}`,
          target: { of: 'group', id, name: act.name },
          changes: act.before
            ? changesBetween({ name: auditValues.text(act.before) }, { name: auditValues.text(act.name) })
            : [],
        }
      : null,
  outside: ['groupId', 'change'],
});

export const groupRoutes = { listGroups, createGroup, renameGroup, deleteGroup, listGroupMembers };
