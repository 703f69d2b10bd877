import { permission, roleId } from '@parley/contracts';
import { orgId } from '@parley/protocol';
import { collection, type RowOf } from '@parley/platform/mongo';
import { z } from 'zod';

/** The roles that an organisation has made; the built-in ones stand in the contracts. */
export const roleRows = collection(
  'roles',
  { _id: roleId, orgId, name: z.string(), permissions: z.array(permission), version: z.number() },
  { tenant: { organisation: 'orgId' }, indexes: [[{ orgId: 1, name: 1 }, { unique: true }]] },
);
export type RoleRow = RowOf<typeof roleRows>;
