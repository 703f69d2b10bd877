import { projectId } from '@parley/contracts';
import { collection } from '@parley/platform/mongo';
import { orgId, userId } from '@parley/protocol';
import { z } from 'zod';

/** A person's project, to which conversations belong. */
export const projectRows = collection(
  'projects',
  { _id: projectId, orgId, ownerId: userId, name: z.string() },
  { tenant: { organisation: 'orgId' }, indexes: [{ orgId: 1, ownerId: 1 }] },
);
