import { orgId } from '@parley/protocol';
import { collection } from '@parley/platform/mongo';
import { z } from 'zod';

/** That something was added to a day that was over: the mark is another one each time. */
export const lateCountRows = collection(
  'metrics_late_counts',
  { _id: orgId, orgId, mark: z.string() },
  { tenant: { organisation: 'orgId' } },
);
