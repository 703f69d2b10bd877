import { eachRow, jobScope, type Mongo, type OrganisationScope, type Transaction } from '@parley/platform/mongo';
import { job, type Work } from '@parley/platform/work';
import { ledgerEntryRows, spendDayRows, type LedgerEntryRow } from '../entries/index.ts';
import { organisationAfter } from './organisations.ts';
import { spendChatbotRows } from './spend-chatbot.collection.ts';
import { spendPersonRows } from './spend-person.collection.ts';
import {
  nothing,
  spendChatbotIdOf,
  spendDayIdOf,
  spendPersonIdOf,
  spentBy,
  sumOf,
  totals,
  type Totals,
} from './spend.ts';

const everywhere = jobScope('all totals are recomputed from the entries');
const verifying = job('verifies totals');

/** What was compared, and a sentence for each total that its entries do not give. */
export type Verified = { readonly entries: number; readonly days: number; readonly differences: readonly string[] };
type Parts = { readonly mongo: Mongo; readonly work: Work };
type Sums = ReadonlyMap<string, Totals>;
type Kept = Totals & { readonly _id: string };

/** One kind of totals: which row an entry was added to, and which entries can have been added to a row. */
type Kind = {
  readonly idOf: (entry: LedgerEntryRow) => string | null;
  readonly keptIn: (mongo: Mongo, scope: OrganisationScope) => AsyncIterable<Kept>;
  readonly find: (mongo: Mongo, one: One, tx: Transaction) => Promise<Kept | null>;
  readonly where: (id: string) => object;
};

const kinds: Readonly<Record<'days' | 'people' | 'chatbots', Kind>> = {
  days: {
    idOf: spendDayIdOf,
    keptIn: (mongo, scope) => eachRow(mongo.rows(spendDayRows).within(scope)),
    find: (mongo, { scope, id }, tx) => mongo.rows(spendDayRows).within(scope, tx).findById(id),
    where: (id) => {
      const [, day, model] = partsOf(id);
      return { day, model };
    },
  },
  people: {
    idOf: spendPersonIdOf,
    keptIn: (mongo, scope) => eachRow(mongo.rows(spendPersonRows).within(scope)),
    find: (mongo, { scope, id }, tx) => mongo.rows(spendPersonRows).within(scope, tx).findById(id),
    where: (id) => {
      const [, month, userId] = partsOf(id);
      return { userId, at: inMonth(month) };
    },
  },
  chatbots: {
    idOf: spendChatbotIdOf,
    keptIn: (mongo, scope) => eachRow(mongo.rows(spendChatbotRows).within(scope)),
    find: (mongo, { scope, id }, tx) => mongo.rows(spendChatbotRows).within(scope, tx).findById(id),
    where: (id) => {
      const [, month, chatbotId] = partsOf(id);
      return { chatbotId, at: inMonth(month) };
    },
  },
};
const kindNames = Object.keys(kinds) as (keyof typeof kinds)[];

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
    for (const name of kindNames) {
      const kept = await keptOf(kinds[name].keptIn(mongo, scope));
      if (name === 'days') days += kept.size;
      for (const id of differing(kept, recomputed.sums[name]))
        differences.push(...(await work.run(verifying, (tx) => compare(mongo, { kind: kinds[name], scope, id }, tx))));
    }
  }
  return { entries, days, differences };
}

async function recompute(mongo: Mongo, scope: OrganisationScope) {
  const sums = {
    days: new Map<string, Totals>(),
    people: new Map<string, Totals>(),
    chatbots: new Map<string, Totals>(),
  };
  let entries = 0;
  for await (const entry of eachRow(mongo.rows(ledgerEntryRows).within(scope))) {
    if (!isCounted(entry)) continue;
    entries += 1;
    for (const name of kindNames) {
      const id = kinds[name].idOf(entry);
      if (id !== null) sums[name].set(id, sumOf(sums[name].get(id) ?? nothing, spentBy(entry)));
    }
  }
  return { entries, sums };
}

/** Entries of versions without rates are in no totals. */
const isCounted = ({ day }: LedgerEntryRow): boolean => (day as string | undefined) !== undefined;

async function keptOf(rows: AsyncIterable<Kept>): Promise<Sums> {
  const sums = new Map<string, Totals>();
  for await (const { _id, ...kept } of rows) sums.set(_id, kept);
  return sums;
}

function differing(kept: Sums, recomputed: Sums): string[] {
  const ids = new Set([...recomputed.keys(), ...kept.keys()]);
  return [...ids].filter((id) => !isSame(kept.get(id) ?? nothing, recomputed.get(id) ?? nothing));
}

const isSame = (one: Totals, other: Totals): boolean => totals.every((name) => one[name] === other[name]);

type One = { readonly kind: Kind; readonly scope: OrganisationScope; readonly id: string };

async function compare(mongo: Mongo, one: One, tx: Transaction): Promise<string[]> {
  const { kind, scope, id } = one;
  const entries = await mongo.rows(ledgerEntryRows).within(scope, tx).find(kind.where(id));
  const kept = await kind.find(mongo, one, tx);
  const own = entries.filter((entry) => isCounted(entry) && kind.idOf(entry) === id);
  return sentences(partsOf(id).join('  '), kept ?? nothing, own);
}

/** Organisation, day or month, and what the total is of: names of models may hold slashes. */
function partsOf(id: string): [string, string, string] {
  const [, orgId = '', time = '', of = ''] = /^([^/]+)\/([^/]+)\/(.*)$/s.exec(id) ?? [];
  return [orgId, time, of];
}

function inMonth(month: string) {
  const from = new Date(`${month}-01T00:00:00Z`);
  return { $gte: from, $lt: new Date(Date.UTC(from.getUTCFullYear(), from.getUTCMonth() + 1)) };
}

function sentences(what: string, kept: Totals, entries: readonly LedgerEntryRow[]): string[] {
  const sum = entries.map(spentBy).reduce(sumOf, nothing);
  return totals
    .filter((name) => kept[name] !== sum[name])
    .map((name) => `${what}  ${name}: the total is ${kept[name]}, the entries give ${sum[name]}`);
}
