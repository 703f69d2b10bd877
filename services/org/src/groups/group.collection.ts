import { groupId } from '@parley/contracts';
import { orgId } from '@parley/protocol';
import { collection, type RowOf } from '@parley/platform/mongo';
import { z } from 'zod';

export const groupRows = collection(
  'groups',
  { _id: groupId, orgId, name: z.string(), memberCount: z.number(), version: z.number() },
  { tenant: { organisation: 'orgId' }, indexes: [[{ orgId: 1, name: 1 }, { unique: true }]] },
);
export type GroupRow = RowOf<typeof groupRows>;
