// Without zod, so that the browser decides with this very table: `@parley/contracts/permissions`.

/** Rights inside one organisation. Routes name the one they need; roles are sets of them. */
export const permissions = [
  'org:read',
  'org:update',
  'chat:create',
  'chat:read',
  'chat:update',
  'chat:delete',
  'model:use',
  'model:configure',
  'data_connection:read',
  'data_connection:manage',
  'billing:read',
  'monitoring:read_org',
] as const;
export type Permission = (typeof permissions)[number];

export const orgRoles = ['owner', 'admin', 'billing', 'analyst', 'member', 'guest'] as const;
export type OrgRole = (typeof orgRoles)[number];

const everyday: Permission[] = ['org:read', 'chat:create', 'chat:read', 'chat:update', 'chat:delete', 'model:use'];

const permissionsByRole: Record<OrgRole, readonly Permission[]> = {
  owner: permissions,
  admin: [
    ...everyday,
    'org:update',
    'model:configure',
    'data_connection:read',
    'data_connection:manage',
    'monitoring:read_org',
  ],
  billing: [...everyday, 'billing:read'],
  analyst: [...everyday, 'data_connection:read', 'monitoring:read_org'],
  member: [...everyday, 'data_connection:read'],
  guest: ['org:read', 'chat:read', 'chat:update', 'chat:delete', 'model:use'],
};

/** What a role gives. Whoever decides asks for permissions, never for a role. */
export const permissionsOf = (role: OrgRole): readonly Permission[] => permissionsByRole[role];

/** A person inside one organisation. */
export type Holder = { readonly userId: string; readonly permissions: readonly Permission[] };
/** A thing that is somebody's own: nobody else sees it. */
export type Owned = { readonly ownerId: string };

/**
 * The one decision about rights, of routes and of things: deny by default, then a plain set check; a thing that is
 * somebody's own is the owner's alone. Services decide with it, the browser explains with it.
 */
export function allows(holder: Holder | null, permission: Permission, thing?: Owned): boolean {
  if (!holder?.permissions.includes(permission)) return false;
  return thing === undefined || thing.ownerId === holder.userId;
}
