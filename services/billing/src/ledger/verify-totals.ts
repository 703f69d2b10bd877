import { eachRow, jobScope, type Mongo, type OrganisationScope, type Transaction } from '@parley/platform/mongo';
import { job, type Work } from '@parley/platform/work';
import { ledgerEntryRows, spendDayRows, type LedgerEntryRow } from '../entries/index.ts';
import { organisationAfter } from './organisations.ts';
import { spendChatbotRows } from './spend-chatbot.collection.ts';
import { spendPersonRows } from './spend-person.collection.ts';
import { addedBy, noSums, sumOf, sums, type SpendKind, type Sums } from './spend.ts';

const everywhere = jobScope('all totals are recomputed from the entries');
const verifying = job('verifies totals');

/** What was compared, and a sentence for each total that its entries do not give. */
export type Verified = { readonly entries: number; readonly days: number; readonly differences: readonly string[] };
type Parts = { readonly mongo: Mongo; readonly work: Work };
type SumsById = ReadonlyMap<string, Sums>;
type Kept = Sums & { readonly _id: string };

/** One kind of totals: where its rows are, and which entries can have been added to a row. */
type Kind = {
  readonly name: SpendKind;
  readonly keptIn: (mongo: Mongo, scope: OrganisationScope) => AsyncIterable<Kept>;
  readonly find: (mongo: Mongo, one: One, tx: Transaction) => Promise<Kept | null>;
  readonly where: (id: string) => object;
};

const kinds: readonly Kind[] = [
  {
    name: 'days',
    keptIn: (mongo, scope) => eachRow(mongo.rows(spendDayRows).within(scope)),
    find: (mongo, { scope, id }, tx) => mongo.rows(spendDayRows).within(scope, tx).findById(id),
    where: (id) => {
      const [, day, model] = partsOf(id);
      return { model, at: around(day, 1) };
    },
  },
  {
    name: 'people',
    keptIn: (mongo, scope) => eachRow(mongo.rows(spendPersonRows).within(scope)),
    find: (mongo, { scope, id }, tx) => mongo.rows(spendPersonRows).within(scope, tx).findById(id),
    where: (id) => {
      const [, month, userId] = partsOf(id);
      return { userId, at: around(`${month}-01`, 31) };
    },
  },
  {
    name: 'chatbots',
    keptIn: (mongo, scope) => eachRow(mongo.rows(spendChatbotRows).within(scope)),
    find: (mongo, { scope, id }, tx) => mongo.rows(spendChatbotRows).within(scope, tx).findById(id),
    where: (id) => {
      const [, month, chatbotId] = partsOf(id);
      return { chatbotId, at: around(`${month}-01`, 31) };
    },
  },
];

/**
 * Recomputes the totals of every organisation, by day and model, by month and person, and by month and chatbot. It may run
 * beside a billing that writes: what differs is compared once more in one transaction.
 */
export async function verifyTotals({ mongo, work }: Parts): Promise<Verified> {
  let [entries, days] = [0, 0];
  const differences: string[] = [];
  for (let orgId = await organisationAfter(mongo, null); orgId; orgId = await organisationAfter(mongo, orgId)) {
    const scope = everywhere.in(orgId);
    const recomputed = await recompute(mongo, scope);
    entries += recomputed.entries;
    for (const kind of kinds) {
      const kept = await keptOf(kind.keptIn(mongo, scope));
      if (kind.name === 'days') days += kept.size;
      for (const id of differing(kept, recomputed.sums[kind.name]))
        differences.push(...(await work.run(verifying, (tx) => compare(mongo, { kind, scope, id }, tx))));
    }
  }
  return { entries, days, differences };
}

async function recompute(mongo: Mongo, scope: OrganisationScope) {
  const found = { days: new Map<string, Sums>(), people: new Map<string, Sums>(), chatbots: new Map<string, Sums>() };
  let entries = 0;
  for await (const entry of eachRow(mongo.rows(ledgerEntryRows).within(scope))) {
    if (!isCounted(entry)) continue;
    entries += 1;
    for (const { name } of kinds)
      for (const { id, sums: added } of addedBy(name, entry))
        found[name].set(id, sumOf(found[name].get(id) ?? noSums, added));
  }
  return { entries, sums: found };
}

/** Entries of versions without rates are in no totals. */
const isCounted = ({ day }: LedgerEntryRow): boolean => (day as string | undefined) !== undefined;

/** Until the migration, rows of earlier versions don't say that their money is by days of UTC. */
function asMigrated(row: Sums): Sums {
  const isMigrated = (row.moneyMicros as number | undefined) !== undefined;
  return isMigrated ? row : { ...row, moneyMicros: row.costMicros, utcMicros: row.costMicros };
}

async function keptOf(rows: AsyncIterable<Kept>): Promise<SumsById> {
  const kept = new Map<string, Sums>();
  for await (const row of rows) kept.set(row._id, asMigrated(row));
  return kept;
}

function differing(kept: SumsById, recomputed: SumsById): string[] {
  const ids = new Set([...recomputed.keys(), ...kept.keys()]);
  return [...ids].filter((id) => !isSame(kept.get(id) ?? noSums, recomputed.get(id) ?? noSums));
}

const isSame = (one: Sums, other: Sums): boolean => sums.every((name) => one[name] === other[name]);

type One = { readonly kind: Kind; readonly scope: OrganisationScope; readonly id: string };

async function compare(mongo: Mongo, one: One, tx: Transaction): Promise<string[]> {
  const { kind, scope, id } = one;
  const entries = await mongo.rows(ledgerEntryRows).within(scope, tx).find(kind.where(id));
  const kept = await kind.find(mongo, one, tx);
  const added = entries.filter(isCounted).flatMap((entry) => addedBy(kind.name, entry).filter((one) => one.id === id));
  const sum = added.map((one) => one.sums).reduce(sumOf, noSums);
  return sentences(partsOf(id).join('  '), kept ? asMigrated(kept) : noSums, sum);
}

/** Organisation, day or month, and what the total is of: names of models may hold slashes. */
function partsOf(id: string): [string, string, string] {
  const [, orgId = '', time = '', of = ''] = /^([^/]+)\/([^/]+)\/(.*)$/s.exec(id) ?? [];
  return [orgId, time, of];
}

const dayMs = 86_400_000;

/** From a day on, whatever the time zone. */
function around(first: string, days: number) {
  const from = Date.parse(first);
  return { $gte: new Date(from - dayMs), $lt: new Date(from + (days + 1) * dayMs) };
}

function sentences(what: string, kept: Sums, sum: Sums): string[] {
  return sums
    .filter((name) => kept[name] !== sum[name])
    .map((name) => `${what}  ${name}: the total is ${kept[name]}, the entries give ${sum[name]}`);
}
