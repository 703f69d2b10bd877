import { describe, expect, it, test } from '@jest/globals';
import { readFileSync } from 'node:fs';
import {
  allows,
  explainAccess,
  isWithin,
  orgRoles,
  ownPermissions,
  permissions,
  permissionsOf,
  type OrgRole,
  type Permission,
} from './permissions.ts';

const me = 'usr_1';
const somebody = (role: OrgRole) => ({ userId: me, permissions: permissionsOf(role) });
/** Holds one thing of the organisation (undefined), one of the person, and one of someone else. */
const things = [undefined, { ownerId: me }, { ownerId: 'usr_2' }] as const;

/**
 * Lists who can do what, so that a moved permission shows up in review: to things of the organisation, to their own, to
 * someone else's. Roles have their first letter: owner, admin, billing, analyst (`n`), member, guest.
 */
const table: Record<Permission, string> = {
  'org:read': 'oabnmg oabnmg ------',
  'org:update': 'oa---- oa---- ------',
  'org:transfer': 'o----- o----- ------',
  'member:read': 'oabnm- oabnm- ------',
  'member:read_pii': 'oa---- oa---- ------',
  'member:invite': 'oa---- oa---- ------',
  'invite_link:manage': 'oa---- oa---- ------',
  'member:update_role': 'oa---- oa---- ------',
  'member:suspend': 'oa---- oa---- ------',
  'member:remove': 'oa---- oa---- ------',
  'session:revoke_org': 'oa---- oa---- ------',
  'role:read': 'oabnm- oabnm- ------',
  'role:create': 'oa---- oa---- ------',
  'role:update': 'oa---- oa---- ------',
  'role:delete': 'oa---- oa---- ------',
  'group:read': 'oabn-- oabn-- ------',
  'group:manage': 'oa---- oa---- ------',
  'apikey:manage_own': 'oa--m- oa--m- ------',
  'apikey:manage_org': 'oa---- oa---- ------',
  'audit:read': 'oa---- oa---- ------',
  'chat:create': 'oabnm- oabnm- ------',
  'chat:read': 'oabnmg oabnmg ------',
  'chat:update': 'oabnmg oabnmg ------',
  'chat:delete': 'oabnmg oabnmg ------',
  'model:use': 'oabnmg oabnmg ------',
  'model:configure': 'oa---- oa---- ------',
  'chatbot:manage': 'oa---- oa---- ------',
  'chatbot:publish': 'oa---- oa---- ------',
  'feedback:read': 'oa-n-- oa-n-- ------',
  'feedback:manage': 'oa---- oa---- ------',
  'data_connection:read': 'oa-nm- oa-nm- ------',
  'data_connection:manage': 'oa---- oa---- ------',
  'billing:read': 'o-b--- o-b--- ------',
  'billing:manage': 'o-b--- o-b--- ------',
  'budget:read': 'oabn-- oabn-- ------',
  'budget:manage': 'oab--- oab--- ------',
  'usage:read_own': 'oabnmg oabnmg ------',
  'usage:read_org': 'oabn-- oabn-- ------',
  'usage:read_person': 'oa---- oa---- ------',
  'monitoring:read_org': 'oa-n-- oa-n-- ------',
  'generation:stop_any': 'oa---- oa---- ------',
  'events:read': 'oa---- oa---- ------',
  'webhook:manage': 'oa---- oa---- ------',
};

describe('permissions by role and ownership', () => {
  test('the test’s table lists each permission', () =>
    expect(Object.keys(table).toSorted()).toEqual([...permissions].toSorted()));
  test.each(Object.entries(table) as [Permission, string][])(
    '%s is granted to these roles: %s',
    (permission, expected) => {
      const letters = 'oabnmg';
      const roles = ['owner', 'admin', 'billing', 'analyst', 'member', 'guest'] as const;
      expect(orgRoles).toEqual(roles);
      const found = things.map((thing) =>
        roles.map((role, index) => (allows(somebody(role), permission, thing) ? letters[index] : '-')).join(''),
      );
      expect(found.join(' ')).toBe(expected);
    },
  );
});

it('denies everything to people without permissions and to visitors', () => {
  for (const permission of permissions)
    for (const thing of things) {
      expect(allows(null, permission, thing)).toBe(false);
      expect(allows({ userId: me, permissions: [] }, permission, thing)).toBe(false);
    }
});

it('explains a decision by its rules in order, up to the first that denies', () => {
  const own = { ownerId: me };
  expect(explainAccess(null, 'chat:read', own)).toEqual([{ rule: 'membership', allows: false }]);
  expect(explainAccess(somebody('guest'), 'chat:create', own)).toEqual([
    { rule: 'membership', allows: true },
    { rule: 'role', allows: false },
  ]);
  expect(explainAccess(somebody('owner'), 'chat:read', { ownerId: 'usr_2' })).toEqual([
    { rule: 'membership', allows: true },
    { rule: 'role', allows: true },
    { rule: 'ownership', allows: false },
  ]);
  expect(explainAccess(somebody('owner'), 'org:update')).toEqual([
    { rule: 'membership', allows: true },
    { rule: 'role', allows: true },
  ]);
  expect(ownPermissions).toEqual(['chat:read', 'chat:update', 'chat:delete']);
});

it('decides by sets of permissions, never by ranks of roles', () => {
  expect(isWithin(permissionsOf('member'), permissionsOf('admin'))).toBe(true);
  expect(isWithin(permissionsOf('billing'), permissionsOf('admin'))).toBe(false);
  expect(isWithin([], [])).toBe(true);
  expect(isWithin(['chat:read'], [])).toBe(false);
  expect(isWithin(permissions, permissionsOf('owner'))).toBe(true);
});

it('permissions.ts imports nothing, so the browser loads no further module with it', () => {
  expect(readFileSync(new URL('permissions.ts', import.meta.url), 'utf8')).not.toMatch(/^import/m);
});
