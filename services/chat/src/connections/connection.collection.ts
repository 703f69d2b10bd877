import { audience, connectionId, orgId, userId } from '@parley/contracts';
import { collection, type RowOf } from '@parley/platform/mongo';
import { z } from 'zod';

/**
 * A data connection: where documents come from, and who may read them. That for uploads with which every organisation
 * begins is there when somebody has first changed it.
 */
export const connectionRows = collection(
  'connections',
  {
    _id: connectionId,
    orgId,
    audience,
    createdAt: z.date(),
    createdBy: z.strictObject({ userId, name: z.string() }).nullable(),
  },
  { tenant: { organisation: 'orgId' }, indexes: [{ orgId: 1, _id: 1 }] },
);
export type ConnectionRow = RowOf<typeof connectionRows>;
