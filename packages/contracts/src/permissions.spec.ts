import { expect, it } from '@jest/globals';
import { readFileSync } from 'node:fs';
import { hasPermission, orgRoles, permissions } from './permissions.ts';

it('denies what no role gives, and everything to nobody', () => {
  expect(permissions.filter((permission) => hasPermission(null, permission))).toEqual([]);
  expect(orgRoles.filter((role) => hasPermission(role, 'model:configure'))).toEqual(['owner', 'admin']);
  expect(orgRoles.filter((role) => !hasPermission(role, 'chat:create'))).toEqual(['guest']);
  expect(permissions.every((permission) => hasPermission('owner', permission))).toBe(true);
});

it('brings nothing along into the browser', () => {
  expect(readFileSync(new URL('permissions.ts', import.meta.url), 'utf8')).not.toMatch(/^import/m);
});
