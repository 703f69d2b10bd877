import { defineEvent, defineRoute, orgId } from '@parley/protocol';
import { z } from 'zod';
import { roleId } from '../../ids.ts';
import { auditValues, changesBetween } from '../../events/audit.ts';
import { plainName } from '../../plain-text.ts';
import { permission, roleKey } from '../../roles.ts';

/** A named set of permissions. Each member has exactly one. */
export const role = z.strictObject({
  id: roleKey,
  /** Null for the six built-in roles, which the browser names in the reader's language. */
  name: z.string().nullable(),
  permissions: z.array(permission).readonly(),
  /** Number of members with this role. */
  memberCount: z.number().int(),
  version: z.number().int(),
});
export type Role = z.infer<typeof role>;

const roleName = plainName(60);
const someRights = z.array(permission).max(200);
const oneRole = z.strictObject({ roleId });
const org = { service: 'org', scope: 'organisation' } as const;

/** Lists the built-in roles, from most permissions to fewest, then the organisation's own by name; at most 56. */
export const listRoles = defineRoute({
  ...org,
  permission: 'role:read',
  cost: 'read',
  route: 'GET /api/org/roles',
  response: z.strictObject({ items: z.array(role) }),
});

/**
 * Creates a role with permissions that the person has (else `org.beyond-own-rights`). Idempotent by id.
 * `org.name-taken` if the name is taken; renaming refuses a taken name too.
 */
export const createRole = defineRoute({
  ...org,
  permission: 'role:create',
  cost: 'write',
  route: 'POST /api/org/roles',
  status: 201,
  body: z.strictObject({ id: roleId, name: roleName, permissions: someRights }),
  response: role,
});

/**
 * Changes a role, for everyone who has it, within a second. People can give and take only permissions that they have
 * (`org.beyond-own-rights`). They can't take the permission to change roles from themselves (`org.would-lock-out`).
 */
export const updateRole = defineRoute({
  ...org,
  permission: 'role:update',
  cost: 'bulk',
  route: 'PATCH /api/org/roles/:roleId',
  params: oneRole,
  body: z.strictObject({ version: z.number().int(), name: roleName.optional(), permissions: someRights.optional() }),
  response: role,
});

/** Deletes a role. People who have it or are invited to it get the replacement. */
export const deleteRole = defineRoute({
  ...org,
  permission: 'role:delete',
  cost: 'bulk',
  route: 'DELETE /api/org/roles/:roleId',
  status: 204,
  params: oneRole,
  query: z.strictObject({ replacement: roleKey }),
});

const roleState = z.object({ name: z.string(), permissions: z.array(z.string()).readonly() });
const roleFields = ({ name, permissions }: z.infer<typeof roleState>) => ({
  name: auditValues.text(name),
  permissions: auditValues.permissions(permissions),
});

export const roleChanged = defineEvent('role.changed.v1', 'org', {
  data: z.object({
    orgId,
    roleId,
    change: z.enum(['created', 'updated', 'deleted']),
    /** Principals of the organisation with an older version are invalid. */
    rightsVersion: z.number().int(),
    /** The act for the audit log. Missing in events of earlier versions. */
    act: z
      .object({ before: roleState.nullable(), after: roleState.nullable(), replacement: roleKey.nullable() })
      .optional(),
  }),
  key: 'orgId',
  live: { room: 'organisation', permission: 'role:read', resources: ['roles', 'members', 'invitations'] },
  audit: ({ roleId: id, change, act }) => {
    if (!act) return null;
    const { before, after, replacement } = act;
    const changes = [
      ...changesBetween(before && roleFields(before), after && roleFields(after)),
      ...(replacement ? changesBetween(null, { replacement: auditValues.role(replacement) }) : []),
    ];
    return { act: `role.${change}`, target: { of: 'role', id, name: (after ?? before)?.name ?? null }, changes };
  },
  outside: ['roleId', 'change'],
});

export const roleRoutes = { listRoles, createRole, updateRole, deleteRole };
