import type { OrgId } from '@parley/protocol';
import { jobScope, type Mongo } from '@parley/platform/mongo';
import { ledgerEntryRows, spendDayRows } from '../entries/index.ts';
import { spendPersonRows } from './spend-person.collection.ts';

const everywhere = jobScope('organisations with entries or totals are gone through');

/** The next one, in the order of their ids, that has an entry or a total; null after the last one. */
export async function organisationAfter(mongo: Mongo, last: string | null): Promise<OrgId | null> {
  const filter = { orgId: { $gt: (last ?? '') as OrgId } };
  const sort = { orgId: 1 } as const;
  const next = await Promise.all([
    mongo.rows(ledgerEntryRows).within(everywhere).findOne(filter, { sort }),
    mongo.rows(spendDayRows).within(everywhere).findOne(filter, { sort }),
    mongo.rows(spendPersonRows).within(everywhere).findOne(filter, { sort }),
  ]);
  const [first] = next.flatMap((row) => (row ? [row.orgId] : [])).toSorted();
  return first ?? null;
}
