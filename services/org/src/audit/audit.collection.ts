import { auditAct, auditChange, auditEntryId, auditNoun, orgId, userId } from '@parley/contracts';
import { collection, type RowOf } from '@parley/platform/mongo';
import { z } from 'zod';

/** Holds states as codes and ids, as versions until 0.3.0 kept them; null in what later ones write. */
const earlierState = z.record(z.string(), z.unknown()).nullable();

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
    /** Empty where nobody knows it, or there is none. */
    targetName: z.string(),
    /** Absent, like the next one, in what versions until 0.3.0 have written. */
    of: auditNoun.optional(),
    changes: z.array(auditChange).optional(),
    before: earlierState,
    after: earlierState,
    reason: z.string().nullable(),
    /** True for personal acts; absent in all other entries, so that those without it are one range of an index. */
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
