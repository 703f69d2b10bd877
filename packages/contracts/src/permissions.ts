// Imports no zod, to keep zod out of the browser, which decides by the same table: `@parley/contracts/permissions`.

/** Lists the permissions within an organisation. A route names the one it needs; a role is a set of them. */
export const permissions = [
  'org:read',
  'org:update',
  'org:transfer',
  'member:read',
  'member:read_pii',
  'member:invite',
  'invite_link:manage',
  'member:update_role',
  'member:suspend',
  'member:remove',
  'session:revoke_org',
  'role:read',
  'role:create',
  'role:update',
  'role:delete',
  'group:read',
  'group:manage',
  'apikey:manage_own',
  'apikey:manage_org',
  'audit:read',
  'chat:create',
  'chat:read',
  'chat:update',
  'chat:delete',
  'model:use',
  'model:configure',
  'chatbot:manage',
  'chatbot:publish',
  'feedback:read',
  'feedback:manage',
  'data_connection:read',
  'data_connection:manage',
  'billing:read',
  'billing:manage',
  'budget:read',
  'budget:manage',
  'usage:read_own',
  'usage:read_org',
  'usage:read_person',
  'monitoring:read_org',
  'generation:stop_any',
  'events:read',
  'webhook:manage',
] as const;
export type Permission = (typeof permissions)[number];

export const orgRoles = ['owner', 'admin', 'billing', 'analyst', 'member', 'guest'] as const;
export type OrgRole = (typeof orgRoles)[number];

const everyday: Permission[] = [
  'org:read',
  'chat:create',
  'chat:read',
  'chat:update',
  'chat:delete',
  'model:use',
  'usage:read_own',
];
const amongColleagues: Permission[] = [...everyday, 'member:read', 'role:read'];

const permissionsByRole: Record<OrgRole, readonly Permission[]> = {
  owner: permissions,
  admin: permissions.filter((permission) => permission !== 'org:transfer' && !permission.startsWith('billing:')),
  billing: [
    ...amongColleagues,
    'group:read',
    'billing:read',
    'billing:manage',
    'budget:read',
    'budget:manage',
    'usage:read_org',
  ],
  analyst: [
    ...amongColleagues,
    'group:read',
    'data_connection:read',
    'budget:read',
    'usage:read_org',
    'monitoring:read_org',
    'feedback:read',
  ],
  member: [...amongColleagues, 'data_connection:read', 'apikey:manage_own'],
  guest: ['org:read', 'chat:read', 'chat:update', 'chat:delete', 'model:use', 'usage:read_own'],
};

/** Returns the permissions of a role. Code that decides asks for a permission, never for a role. */
export const permissionsOf = (role: OrgRole): readonly Permission[] => permissionsByRole[role];

/**
 * Permissions that no API key gets: with them a key could outlive its end, give the organisation away, or get names
 * that a person has to answer for.
 */
const forPeopleOnly: readonly Permission[] = [
  'org:transfer',
  'apikey:manage_own',
  'apikey:manage_org',
  'usage:read_person',
];
/** Lists all permissions that an API key can have. */
export const keyPermissions = permissions.filter((permission) => !forPeopleOnly.includes(permission));

/** Permissions for things with an owner, such as chats. They apply to the person's own things only. */
export const ownPermissions = ['chat:read', 'chat:update', 'chat:delete'] as const satisfies readonly Permission[];

/** A person inside one organisation. */
export type Holder = { readonly userId: string; readonly permissions: readonly Permission[] };
/** A thing with an owner. Nobody else can see it. */
export type Owned = { readonly ownerId: string };

/** Names the rules in their order; the first rule that denies decides. */
export type AccessRule = 'membership' | 'role' | 'ownership';
export type AccessStep = { readonly rule: AccessRule; readonly allows: boolean };

/**
 * Explains, rule by rule, why access is allowed or denied. Denied are people who aren't members, then members without
 * the permission, and for a thing with an owner everyone else.
 */
export function explainAccess(holder: Holder | null, permission: Permission, thing?: Owned): AccessStep[] {
  const steps: AccessStep[] = [{ rule: 'membership', allows: holder !== null }];
  if (!holder) return steps;
  const isGiven = holder.permissions.includes(permission);
  steps.push({ rule: 'role', allows: isGiven });
  if (isGiven && thing) steps.push({ rule: 'ownership', allows: thing.ownerId === holder.userId });
  return steps;
}

/**
 * Returns whether access to a route or thing is allowed. Services enforce the result; the browser only shows or hides
 * things by it.
 */
export const allows = (holder: Holder | null, permission: Permission, thing?: Owned): boolean =>
  explainAccess(holder, permission, thing).every((step) => step.allows);

/**
 * Returns whether someone can give or take these permissions: only those that they have themselves. Compares sets,
 * never ranks. Used for invitations, roles and API keys.
 */
export const isWithin = (given: readonly Permission[], own: readonly Permission[]): boolean =>
  given.every((permission) => own.includes(permission));
