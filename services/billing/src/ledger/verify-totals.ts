import { eachRow, jobScope, type Mongo, type OrganisationScope, type Transaction } from '@parley/platform/mongo';
import { job, type Work } from '@parley/platform/work';
import { ledgerEntryRows, type LedgerEntryRow } from './ledger-entry.collection.ts';
import { organisationAfter } from './organisations.ts';
import { spendDayRows } from './spend-day.collection.ts';
import { spendPersonRows } from './spend-person.collection.ts';
import { monthOf, nothing, spendDayIdOf, spendPersonIdOf, spentBy, sumOf, totals, type Totals } from './spend.ts';

const everywhere = jobScope('all totals are recomputed from the entries');

/** What was compared, and a sentence for each total that its entries do not give. */
export type Verified = { readonly entries: number; readonly days: number; readonly differences: readonly string[] };
type Parts = { readonly mongo: Mongo; readonly work: Work };
type Sums = ReadonlyMap<string, Totals>;

/**
 * Recomputes the totals of every organisation, by day and model and by month and person. It may run beside a billing that
 * writes: what differs is compared once more in one transaction.
 */
export async function verifyTotals({ mongo, work }: Parts): Promise<Verified> {
  let [entries, days] = [0, 0];
  const differences: string[] = [];
  for (let orgId = await organisationAfter(mongo, null); orgId; orgId = await organisationAfter(mongo, orgId)) {
    const scope = everywhere.in(orgId);
    const recomputed = await recompute(mongo, scope);
    const kept = { days: await keptDays(mongo, scope), people: await keptPeople(mongo, scope) };
    entries += recomputed.entries;
    days += kept.days.size;
    for (const id of differing(kept.days, recomputed.days))
      differences.push(...(await work.run(job('verifies totals'), (tx) => compareDay(mongo, { scope, id }, tx))));
    for (const id of differing(kept.people, recomputed.people))
      differences.push(...(await work.run(job('verifies totals'), (tx) => comparePerson(mongo, { scope, id }, tx))));
  }
  return { entries, days, differences };
}

async function recompute(mongo: Mongo, scope: OrganisationScope) {
  const [days, people] = [new Map<string, Totals>(), new Map<string, Totals>()];
  let entries = 0;
  for await (const entry of eachRow(mongo.rows(ledgerEntryRows).within(scope))) {
    if ((entry.day as string | undefined) === undefined) continue;
    entries += 1;
    add(days, spendDayIdOf(entry), entry);
    add(people, spendPersonIdOf(entry), entry);
  }
  return { entries, days, people };
}

const add = (sums: Map<string, Totals>, id: string, entry: LedgerEntryRow): void =>
  void sums.set(id, sumOf(sums.get(id) ?? nothing, spentBy(entry)));

async function keptDays(mongo: Mongo, scope: OrganisationScope): Promise<Sums> {
  const sums = new Map<string, Totals>();
  for await (const { _id, ...kept } of eachRow(mongo.rows(spendDayRows).within(scope))) sums.set(_id, kept);
  return sums;
}

async function keptPeople(mongo: Mongo, scope: OrganisationScope): Promise<Sums> {
  const sums = new Map<string, Totals>();
  for await (const { _id, ...kept } of eachRow(mongo.rows(spendPersonRows).within(scope))) sums.set(_id, kept);
  return sums;
}

function differing(kept: Sums, recomputed: Sums): string[] {
  const ids = new Set([...recomputed.keys(), ...kept.keys()]);
  return [...ids].filter((id) => !isSame(kept.get(id) ?? nothing, recomputed.get(id) ?? nothing));
}

const isSame = (one: Totals, other: Totals): boolean => totals.every((name) => one[name] === other[name]);

type One = { readonly scope: OrganisationScope; readonly id: string };

async function compareDay(mongo: Mongo, { scope, id }: One, tx: Transaction): Promise<string[]> {
  const [, day = '', model = ''] = /^[^/]+\/([^/]+)\/(.*)$/s.exec(id) ?? [];
  const entries = await mongo.rows(ledgerEntryRows).within(scope, tx).find({ day, model });
  const kept = await mongo.rows(spendDayRows).within(scope, tx).findById(id);
  return sentences(`${scope.orgId}  ${day}  ${model}`, kept ?? nothing, entries);
}

async function comparePerson(mongo: Mongo, { scope, id }: One, tx: Transaction): Promise<string[]> {
  const [, month = '', person = ''] = id.split('/');
  const userId = person as LedgerEntryRow['userId'];
  const from = new Date(`${month}-01T00:00:00Z`);
  const at = { $gte: from, $lt: new Date(Date.UTC(from.getUTCFullYear(), from.getUTCMonth() + 1)) };
  const entries = await mongo.rows(ledgerEntryRows).within(scope, tx).find({ userId, at });
  const kept = await mongo.rows(spendPersonRows).within(scope, tx).findById(id);
  const dated = entries.filter(({ day }) => (day as string | undefined) !== undefined);
  return sentences(
    `${scope.orgId}  ${month}  ${userId}`,
    kept ?? nothing,
    dated.filter((entry) => monthOf(entry) === month),
  );
}

function sentences(what: string, kept: Totals, entries: readonly LedgerEntryRow[]): string[] {
  const sum = entries.map(spentBy).reduce(sumOf, nothing);
  return totals
    .filter((name) => kept[name] !== sum[name])
    .map((name) => `${what}  ${name}: the total is ${kept[name]}, the entries give ${sum[name]}`);
}
