import { expect, it } from '@jest/globals';
import { readFileSync } from 'node:fs';
import { allows, orgRoles, permissions, permissionsOf, type OrgRole } from './permissions.ts';

const somebody = (role: OrgRole) => ({ userId: 'usr_1', permissions: permissionsOf(role) });
const rolesThat = (permission: (typeof permissions)[number]): OrgRole[] =>
  orgRoles.filter((role) => allows(somebody(role), permission));

it('denies what no role gives, and everything to nobody', () => {
  expect(permissions.filter((permission) => allows(null, permission))).toEqual([]);
  expect(permissions.filter((permission) => allows({ userId: 'usr_1', permissions: [] }, permission))).toEqual([]);
  expect(rolesThat('model:configure')).toEqual(['owner', 'admin']);
  expect(orgRoles.filter((role) => !rolesThat('chat:create').includes(role))).toEqual(['guest']);
  expect(permissions.every((permission) => allows(somebody('owner'), permission))).toBe(true);
});

it("gives what is somebody's own to nobody else, whatever their role", () => {
  expect(allows(somebody('member'), 'chat:read', { ownerId: 'usr_1' })).toBe(true);
  expect(allows(somebody('owner'), 'chat:read', { ownerId: 'usr_2' })).toBe(false);
  expect(allows(somebody('guest'), 'chat:create', { ownerId: 'usr_1' })).toBe(false);
});

it('brings nothing along into the browser', () => {
  expect(readFileSync(new URL('permissions.ts', import.meta.url), 'utf8')).not.toMatch(/^import/m);
});
