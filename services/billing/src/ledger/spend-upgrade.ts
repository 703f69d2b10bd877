import { eachRow, jobScope } from '@parley/platform/mongo';
import type { DataMigration } from '@parley/platform/schema';
import { ledgerEntryRows } from '../entries/index.ts';
import { spendPersonRows } from './spend-person.collection.ts';
import { monthOf, nothing, spendPersonIdOf, spentBy, sumOf, type Totals } from './spend.ts';
import { organisationAfter } from './organisations.ts';

const scope = jobScope('people get totals of their entries');

/** The first version with prices had totals by day and model only. One organisation after the other is added up. */
export const spendPeople: DataMigration = {
  name: 'spend-people',
  title: 'adding up what people have used',
  async batch(mongo, cursor) {
    const orgId = await organisationAfter(mongo, cursor);
    if (orgId === null) return null;
    const own = scope.in(orgId);
    const people = new Map<string, { readonly month: string; readonly userId: string; readonly sum: Totals }>();
    for await (const entry of eachRow(mongo.rows(ledgerEntryRows).within(own))) {
      if ((entry.day as string | undefined) === undefined) continue;
      const id = spendPersonIdOf(entry);
      if (id === null || entry.userId === null) continue;
      const sum = sumOf(people.get(id)?.sum ?? nothing, spentBy(entry));
      people.set(id, { month: monthOf(entry), userId: entry.userId, sum });
    }
    const rows = mongo.rows(spendPersonRows).within(own);
    for (const [_id, { month, userId, sum }] of people)
      await rows.upsert({ _id }, { $set: { month, userId: userId as never, ...sum } });
    return orgId;
  },
};
