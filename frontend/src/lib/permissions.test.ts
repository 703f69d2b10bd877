import { expect, it } from '@jest/globals';
import { hasPermission as decide, orgRole, permissions } from '@parley/contracts';
import { hasPermission } from './permissions.ts';

it('explains rights as the contracts decide them', () => {
  for (const role of orgRole.options) {
    for (const permission of permissions) expect([role, permission, hasPermission(role, permission)]).toEqual([role, permission, decide(role, permission)]);
  }
});
