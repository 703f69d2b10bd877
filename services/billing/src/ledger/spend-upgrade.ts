import { eachRow, jobScope, type Mongo } from '@parley/platform/mongo';
import type { DataMigration } from '@parley/platform/schema';
import { ledgerEntryRows, spendDayRows } from '../entries/index.ts';
import { organisationAfter } from './organisations.ts';
import { spendChatbotRows } from './spend-chatbot.collection.ts';
import { spendPersonRows } from './spend-person.collection.ts';
import { addedBy, noSums, sumOf, type Sums } from './spend.ts';

const scope = jobScope('people get totals of their entries, and totals their money');

/** The first version with prices had totals by day and model only. One organisation after the other is added up. */
export const spendPeople: DataMigration = {
  name: 'spend-people',
  title: 'adding up what people have used',
  async batch(mongo, cursor) {
    const orgId = await organisationAfter(mongo, cursor);
    if (orgId === null) return null;
    const own = scope.in(orgId);
    const people = new Map<string, { readonly month: string; readonly userId: string; readonly sum: Sums }>();
    for await (const entry of eachRow(mongo.rows(ledgerEntryRows).within(own))) {
      if ((entry.day as string | undefined) === undefined) continue;
      for (const { id, period: month, sums } of addedBy('people', entry))
        people.set(id, { month, userId: entry.userId!, sum: sumOf(people.get(id)?.sum ?? noSums, sums) });
    }
    const rows = mongo.rows(spendPersonRows).within(own);
    for (const [_id, { month, userId, sum }] of people)
      await rows.upsert({ _id }, { $set: { month, userId: userId as never, ...sum } });
    return orgId;
  },
};

const rowsAtOnce = 200;
/** The lists are ordered by money now. */
const oldIndex = 'orgId_1_month_1_costMicros_-1__id_-1';

type Total = { readonly _id: string; readonly costMicros: number; readonly moneyMicros?: number };
type Kept = {
  find(filter: object, options: object): Promise<readonly Total[]>;
  updateEach(changes: readonly object[]): Promise<void>;
};

/** Marks what earlier versions added up as money by days in UTC. */
export const spendMoney: DataMigration = {
  name: 'spend-money',
  title: 'noting what was spent by days of UTC',
  async batch(mongo, cursor) {
    if (cursor === null) for (const rows of [spendPersonRows, spendChatbotRows]) await mongo.dropIndex(rows, oldIndex);
    const kinds = totalsOf(mongo);
    const [kind = 0, after = ''] = cursor === null ? [] : [Number(cursor[0]), cursor.slice(2)];
    const rows = kinds[kind]!;
    const found = await rows.find({ _id: { $gt: after } }, { sort: { _id: 1 }, limit: rowsAtOnce });
    await rows.updateEach(
      found
        .filter(({ moneyMicros }) => moneyMicros === undefined)
        .map(({ _id, costMicros }) => ({
          filter: { _id },
          change: { $set: { moneyMicros: costMicros, utcMicros: costMicros } },
        })),
    );
    if (found.length === rowsAtOnce) return `${kind} ${found.at(-1)!._id}`;
    return kind + 1 < kinds.length ? `${kind + 1} ` : null;
  },
};

const totalsOf = (mongo: Mongo): readonly Kept[] =>
  [
    mongo.rows(spendDayRows).within(scope),
    mongo.rows(spendPersonRows).within(scope),
    mongo.rows(spendChatbotRows).within(scope),
  ] as unknown as readonly Kept[];
