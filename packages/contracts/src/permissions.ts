// Without zod, so that the browser decides with this very table: `@parley/contracts/permissions`.

/** Rights inside one organisation. Routes name the one they need; roles are sets of them. */
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

/** What a role gives. Whoever decides asks for permissions, never for a role. */
export const permissionsOf = (role: OrgRole): readonly Permission[] => permissionsByRole[role];

/** With these a key could outlive its own end, give the organisation away, or be told names that a person answers for. */
const forPeopleOnly: readonly Permission[] = [
  'org:transfer',
  'apikey:manage_own',
  'apikey:manage_org',
  'usage:read_person',
];
/** What an API key can be given at most, whoever makes it. */
export const keyPermissions = permissions.filter((permission) => !forPeopleOnly.includes(permission));

/** Rights over things that are somebody's own, as chats are: whoever has one has it over their own things only. */
export const ownPermissions = ['chat:read', 'chat:update', 'chat:delete'] as const satisfies readonly Permission[];
export type OwnPermission = (typeof ownPermissions)[number];

/** A person inside one organisation. */
export type Holder = { readonly userId: string; readonly permissions: readonly Permission[] };
/** A thing that is somebody's own: nobody else sees it. */
export type Owned = { readonly ownerId: string };

/** The rules in the order in which they decide; the first that denies ends it. */
export type AccessRule = 'membership' | 'role' | 'ownership';
export type AccessStep = { readonly rule: AccessRule; readonly allows: boolean };

/**
 * Why somebody may do something, or may not: deny by default, then a plain set check; a thing that is somebody's own is
 * the owner's alone.
 */
export function explainAccess(holder: Holder | null, permission: Permission, thing?: Owned): AccessStep[] {
  const steps: AccessStep[] = [{ rule: 'membership', allows: holder !== null }];
  if (!holder) return steps;
  const isGiven = holder.permissions.includes(permission);
  steps.push({ rule: 'role', allows: isGiven });
  if (isGiven && thing) steps.push({ rule: 'ownership', allows: thing.ownerId === holder.userId });
  return steps;
}

/** The one decision about rights, of routes and of things. Services decide with it, the browser explains with it. */
export const allows = (holder: Holder | null, permission: Permission, thing?: Owned): boolean =>
  explainAccess(holder, permission, thing).every((step) => step.allows);

/**
 * Nobody gives or takes what they do not have: sets are compared, never ranks. Asked wherever rights pass from one to
 * another: inviting, accepting, assigning, editing a role, an API key.
 */
export const isWithin = (given: readonly Permission[], own: readonly Permission[]): boolean =>
  given.every((permission) => own.includes(permission));
