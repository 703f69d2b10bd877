import { Injectable } from '@nestjs/common';
import {
  fewestShown,
  mostSpendDays,
  type getSpend,
  type listGroupSpend,
  type listPrices,
  type listSpenders,
  type Permission,
  type PersonPrincipal,
} from '@parley/contracts';
import { Clock } from '@parley/platform/clock';
import { jobScope, Mongo, type OrganisationScope, type Rows } from '@parley/platform/mongo';
import type { InputOf } from '@parley/platform/service';
import { Problem, type ResponseOf } from '@parley/protocol';
import { BudgetSettlement } from '../budgets/index.ts';
import { noSums, spendChatbotRows, spendPersonRows, sumOf, type Sums } from '../ledger/index.ts';
import { spendDayRows } from '../entries/index.ts';
import { OrganisationCalls } from '../organisation/index.ts';
import { RatesRepository, toRate } from '../rates/index.ts';

const pricing = jobScope('prices are the same for all organisations');

/** What an organisation has spent, and the prices that it is spent by. */
@Injectable()
export class SpendService {
  private readonly days: Rows<typeof spendDayRows>;
  private readonly people: Rows<typeof spendPersonRows>;
  private readonly chatbots: Rows<typeof spendChatbotRows>;

  constructor(
    mongo: Mongo,
    private readonly rates: RatesRepository,
    private readonly organisations: OrganisationCalls,
    private readonly clock: Clock,
    private readonly settlement: BudgetSettlement,
  ) {
    this.days = mongo.rows(spendDayRows);
    this.people = mongo.rows(spendPersonRows);
    this.chatbots = mongo.rows(spendChatbotRows);
  }

  async read({ scope, query: { month } }: InputOf<typeof getSpend>): Promise<ResponseOf<typeof getSpend>> {
    const [found, chatbots] = await Promise.all([
      this.days
        .within(scope)
        .find(
          { day: { $gte: `${month}-01`, $lt: `${month}-32` } },
          { sort: { day: 1, model: 1 }, limit: mostSpendDays + 1 },
        ),
      this.chatbots.within(scope).find({ month }, { sort: { moneyMicros: -1, _id: -1 }, limit: mostSpendDays }),
    ]);
    const rows = found.slice(0, mostSpendDays);
    const byDay = Map.groupBy(rows, ({ day }) => day);
    const byModel = Map.groupBy(rows, ({ model }) => model);
    return {
      currency: await this.rates.currency(pricing),
      timeZone: (await this.settlement.knownTimeZone(scope)) ?? 'UTC',
      days: [...byDay].map(([day, own]) => ({ day, ...addedUp(own) })),
      models: [...byModel]
        .map(([model, own]) => ({ model, ...addedUp(own) }))
        .toSorted((one, other) => other.costMicros - one.costMicros || other.attempts - one.attempts),
      chatbots: chatbots.map(({ chatbotId, ...kept }) => ({ chatbotId, ...toSpent(kept) })),
      isCut: found.length > mostSpendDays,
    };
  }

  async spenders({
    scope,
    principal,
    query: { month, ...page },
  }: InputOf<typeof listSpenders>): Promise<ResponseOf<typeof listSpenders>> {
    assertMay(principal, 'member:read');
    if (!may(principal, 'usage:read_person')) return this.unnamed(scope, month, page);
    const found = await this.people
      .within(scope)
      .page(page, {
        by: { moneyMicros: -1 },
        where: { month },
        to: ({ userId, ...kept }) => ({ userId, pseudonym: null, ...toSpent(kept) }),
      });
    const names = await this.organisations.namesFor(
      principal,
      found.items.map(({ userId }) => userId),
    );
    const items = found.items.map((item) => ({ ...item, name: names.get(item.userId) ?? null }));
    return { ...found, items, isHidden: false };
  }

  /** Under pseudonyms; a cursor counts rows, since a key of the rows would name people. */
  private async unnamed(
    scope: OrganisationScope,
    month: string,
    { limit, cursor }: { readonly limit: number; readonly cursor?: string | undefined },
  ): Promise<ResponseOf<typeof listSpenders>> {
    const from = cursor === undefined ? 0 : placeOf(cursor);
    const people = this.people.within(scope);
    if ((await people.count({ month }, { limit: fewestShown })) < fewestShown)
      return { items: [], nextCursor: null, isHidden: true };
    const found = await people.find({ month }, { sort: { moneyMicros: -1, _id: -1 }, limit: from + limit + 1 });
    const rows = found.slice(from, from + limit);
    const pseudonyms = await this.organisations.pseudonyms(scope.orgId, month, rows);
    return {
      items: rows.map(({ userId: _userId, ...kept }, at) => ({
        userId: null,
        name: null,
        pseudonym: pseudonyms[at] ?? null,
        ...toSpent(kept),
      })),
      nextCursor: found.length > from + limit ? String(from + limit) : null,
      isHidden: false,
    };
  }

  async groups({
    scope,
    principal,
    query: { month },
  }: InputOf<typeof listGroupSpend>): Promise<ResponseOf<typeof listGroupSpend>> {
    assertMay(principal, 'group:read');
    const [groups, found] = await Promise.all([
      this.organisations.groups(scope.orgId),
      this.people.within(scope).find({ month }, { sort: { moneyMicros: -1 }, limit: mostSpendDays + 1 }),
    ]);
    const people = new Map(found.slice(0, mostSpendDays).map((row) => [row.userId, row]));
    return {
      items: groups
        .filter(({ userIds }) => userIds.length >= fewestShown || may(principal, 'usage:read_person'))
        .map(({ id, name, userIds }) => ({ id, name, ...addedUp(userIds.flatMap((each) => people.get(each) ?? [])) }))
        .toSorted((one, other) => other.costMicros - one.costMicros),
      isCut: found.length > mostSpendDays,
    };
  }

  async prices({ scope, query }: InputOf<typeof listPrices>): Promise<ResponseOf<typeof listPrices>> {
    const now = this.clock.now();
    const page = await this.rates.rates.within(pricing).page(query, {
      by: { sortName: 1, validFrom: -1 },
      where: {
        host: { $in: [null, ...(await this.hostsOf(scope, now))] },
        $or: [{ validUntil: null }, { validUntil: { $gt: now } }],
      },
      to: (row) => {
        const { by: _by, endedBy: _endedBy, version: _version, ...price } = toRate(row);
        return price;
      },
    });
    return { ...page, currency: await this.rates.currency(pricing) };
  }

  /** Prices of other hosts tell which servers other organisations have. */
  private async hostsOf(scope: OrganisationScope, now: Date): Promise<string[]> {
    const lastMonth = new Date(Date.UTC(now.getUTCFullYear(), now.getUTCMonth() - 1, 1));
    const rows = await this.days
      .within(scope)
      .find({ day: { $gte: lastMonth.toISOString().slice(0, 10) } }, { limit: mostSpendDays, fields: ['host'] });
    return [...new Set(rows.flatMap(({ host }) => host ?? []))];
  }
}

/** Shows the cost by days of the budgets' time zone. */
const toSpent = ({ attempts, unpricedAttempts, inputTokens, outputTokens, moneyMicros, utcMicros }: Sums) => ({
  attempts,
  unpricedAttempts,
  inputTokens,
  outputTokens,
  costMicros: moneyMicros,
  utcMicros,
});
const addedUp = (rows: readonly Sums[]) => toSpent(rows.reduce(sumOf, noSums));

const may = ({ organisation }: PersonPrincipal, permission: Permission): boolean =>
  organisation?.permissions.includes(permission) ?? false;

/** Beside the right of the route. */
function assertMay(principal: PersonPrincipal, permission: Permission): void {
  if (!may(principal, permission)) throw new Problem('platform.forbidden', { permission });
}

/** How many rows come before a page. */
function placeOf(cursor: string): number {
  const place = /^\d{1,5}$/.test(cursor) ? Number(cursor) : mostSpendDays + 1;
  if (place <= mostSpendDays) return place;
  throw new Problem('platform.invalid-request', {
    errors: [{ path: 'query.cursor', message: 'not a cursor of this list' }],
  });
}
