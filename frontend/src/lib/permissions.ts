import type { OrgRole, Permission } from '@parley/contracts';

// The same table as in the contracts, whose module brings zod along; a test holds both against each other.
const everyday: Permission[] = ['org:read', 'chat:create', 'chat:read', 'chat:update', 'chat:delete', 'model:use'];

const permissionsByRole: Record<OrgRole, readonly Permission[]> = {
  owner: [...everyday, 'org:update', 'model:configure', 'data_connection:read', 'data_connection:manage', 'billing:read', 'monitoring:read_org'],
  admin: [...everyday, 'org:update', 'model:configure', 'data_connection:read', 'data_connection:manage', 'monitoring:read_org'],
  billing: [...everyday, 'billing:read'],
  analyst: [...everyday, 'data_connection:read', 'monitoring:read_org'],
  member: [...everyday, 'data_connection:read'],
  guest: ['org:read', 'chat:read', 'chat:update', 'chat:delete', 'model:use'],
};

/** Explains only: what is offered and why not. The services decide. */
export function hasPermission(role: OrgRole | null, permission: Permission): boolean {
  return role !== null && permissionsByRole[role].includes(permission);
}
