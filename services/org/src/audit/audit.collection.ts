import { auditAct, auditEntryId, orgId, userId } from '@parley/contracts';
import { collection, type RowOf } from '@parley/platform/mongo';
import { z } from 'zod';

const state = z.record(z.string(), z.unknown()).nullable();

export const auditRows = collection(
  'audit',
  {
    _id: auditEntryId,
    orgId,
    at: z.date(),
    actorId: userId,
    actorName: z.string(),
    act: auditAct,
    target: z.string(),
    targetName: z.string(),
    before: state,
    after: state,
    reason: z.string().nullable(),
    /** True for `personalActs`; absent in all other entries, so that those without it are one range of an index. */
    isPersonal: z.literal(true).nullish(),
    /** Of denials; nothing in others. */
    count: z.number().optional(),
  },
  {
    tenant: { organisation: 'orgId' },
    indexes: [
      { orgId: 1, _id: -1 },
      { orgId: 1, actorId: 1, _id: -1 },
      { orgId: 1, act: 1, _id: -1 },
      { orgId: 1, target: 1, _id: -1 },
      { orgId: 1, isPersonal: 1, _id: -1 },
      { orgId: 1, actorId: 1, isPersonal: 1, _id: -1 },
      { orgId: 1, target: 1, isPersonal: 1, _id: -1 },
    ],
  },
);
export type AuditRow = RowOf<typeof auditRows>;
