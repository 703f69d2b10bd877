import { approval, organisationStatus } from '@parley/contracts';
import { orgId } from '@parley/protocol';
import { collection, type RowOf } from '@parley/platform/mongo';
import { z } from 'zod';

/** One line of the platform's list: what org says of an organisation, and when people last asked something in it. */
export const overviewRows = collection(
  'org_overview',
  {
    _id: orgId,
    name: z.string(),
    slug: z.string(),
    status: organisationStatus,
    approval,
    memberCount: z.number(),
    seatLimit: z.number().nullable(),
    createdAt: z.date(),
    lastActivityAt: z.date(),
    /** Absent in copies of earlier versions. */
    timeZone: z.string(),
    /** Of which version of it this is a copy. */
    revision: z.number(),
    sortName: z.string(),
    /** Of name and short name. */
    words: z.array(z.string()),
  },
  {
    tenant: { organisation: '_id' },
    indexes: [
      { sortName: 1, _id: 1 },
      { memberCount: -1, _id: -1 },
      { lastActivityAt: -1, _id: -1 },
      { createdAt: -1, _id: -1 },
      { status: 1, sortName: 1, _id: 1 },
      { status: 1, memberCount: -1, _id: -1 },
      { status: 1, lastActivityAt: -1, _id: -1 },
      { status: 1, createdAt: -1, _id: -1 },
      { approval: 1, sortName: 1, _id: 1 },
      { approval: 1, memberCount: -1, _id: -1 },
      { approval: 1, lastActivityAt: -1, _id: -1 },
      { approval: 1, createdAt: -1, _id: -1 },
      { words: 1 },
    ],
    keys: ['words'],
  },
);
export type OverviewRow = Omit<RowOf<typeof overviewRows>, 'words'>;
