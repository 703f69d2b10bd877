import { auditAct, auditChange, auditEntryId, auditNoun } from '@parley/contracts';
import { orgId, userId } from '@parley/protocol';
import { collection, type ReadOf, type RowOf } from '@parley/platform/mongo';
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
    /** Entries that count have it; it is absent in others. */
    count: z.number().optional(),
    /** The search finds an entry by these words of person and item. */
    words: z.array(z.string()),
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
      // For each pair of filters; a span of time is one of the ids, with which every index ends.
      { orgId: 1, actorId: 1, act: 1, _id: -1 },
      { orgId: 1, actorId: 1, target: 1, _id: -1 },
      { orgId: 1, act: 1, target: 1, _id: -1 },
      { orgId: 1, words: 1, _id: -1 },
      { orgId: 1, actorId: 1, words: 1, _id: -1 },
      { orgId: 1, act: 1, words: 1, _id: -1 },
    ],
    keys: ['words'],
  },
);
export type NewAuditRow = RowOf<typeof auditRows>;
/** Without its words. */
export type AuditRow = ReadOf<typeof auditRows>;
