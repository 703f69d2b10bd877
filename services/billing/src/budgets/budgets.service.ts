import { Injectable } from '@nestjs/common';
import {
  budgetChanged,
  fewestShown,
  type Budget,
  type BudgetId,
  type BudgetScope,
  type changeBudget,
  type createBudget,
  type deleteBudget,
  type listBudgets,
  type PersonPrincipal,
} from '@parley/contracts';
import { Clock } from '@parley/platform/clock';
import { jobScope, type OrganisationScope, type Transaction } from '@parley/platform/mongo';
import type { InputOf } from '@parley/platform/service';
import { Work } from '@parley/platform/work';
import { Problem, type BodyOf, type ResponseOf, type UserId } from '@parley/protocol';
import { SpentBefore } from '../entries/index.ts';
import { OrganisationCalls } from '../organisation/index.ts';
import { RatesRepository } from '../rates/index.ts';
import { BudgetRequests } from './budget-requests.repository.ts';
import { amountIn, inPeriodOf, limitOf, withoutExpired, withReached, type Amount } from './budget-sheet.ts';
import type { BudgetSheet, CountedBudget } from './budget-sheet.collection.ts';
import { BudgetSheets } from './budget-sheets.repository.ts';
import { toBudget, toRequest, withoutAmounts } from './budget-views.ts';
import { periodAt, type Period } from './period.ts';

const prices = jobScope('a budget in money needs a currency');

/** The budgets of an organisation, kept by those who may. */
@Injectable()
export class BudgetsService {
  constructor(
    private readonly sheets: BudgetSheets,
    private readonly requests: BudgetRequests,
    private readonly rates: RatesRepository,
    private readonly organisations: OrganisationCalls,
    private readonly spentBefore: SpentBefore,
    private readonly work: Work,
    private readonly clock: Clock,
  ) {}

  async list({ scope, principal }: InputOf<typeof listBudgets>): Promise<ResponseOf<typeof listBudgets>> {
    const [sheet, currency] = await Promise.all([this.current(scope), this.rates.currency(prices)]);
    if (!sheet) return { items: [], requests: [], people: [], currency, timeZone: await this.timeZoneOf(scope) };
    const whose = sheet.budgets.map((budget) => budget.scope);
    const [requests, names] = await Promise.all([
      this.requests.open(scope, sheet.budgets),
      this.organisations.namesFor(
        principal,
        whose.flatMap((one) => (one.kind === 'person' ? [one.id] : [])),
      ),
    ]);
    return {
      items: sheet.budgets.map((budget) => toBudget(budget, sheet)).map(await this.viewFor(principal, whose)),
      requests: requests.map(toRequest),
      people: [...names].map(([userId, name]) => ({ userId, name })),
      currency,
      timeZone: sheet.timeZone,
    };
  }

  async create({ scope, principal, body }: InputOf<typeof createBudget>): Promise<Budget> {
    if (body.unit === 'money' && (await this.rates.currency(prices)) === null) throw new Problem('billing.no-prices');
    const timeZone = await this.timeZoneOf(scope);
    const view = await this.viewFor(principal, [body.scope]);
    const memberIds = body.startsWithSpent ? await this.membersOf(scope, body.scope) : [];
    return this.work.run(principal, async (tx) => {
      const before = (await this.sheets.read(scope, tx)) ?? (await this.sheets.create(scope, timeZone, tx));
      const known = before.budgets.find(({ id }) => id === body.id);
      if (known) return view(toBudget(known, before));
      if (before.budgets.some((budget) => isSameKind(budget, body))) throw new Problem('billing.budget-exists');
      const now = this.clock.now();
      const period = periodAt(body.period, before.timeZone, now);
      const counted = { scope: body.scope, memberIds, from: period.beganAt, now };
      const begun = body.startsWithSpent ? await this.spentBefore.sum(scope, counted, tx) : null;
      const budget = newBudget(body, { period, begun, now });
      const after = withReached({ ...before, budgets: [...before.budgets, budget] });
      await this.sheets.write(scope, tx, { before, after });
      await this.tell(scope, tx, { by: principal.userId, before: null, after: budget });
      return view(toBudget(budget, after));
    });
  }

  async change({ scope, principal, params, body }: InputOf<typeof changeBudget>): Promise<Budget> {
    const sheet = await this.sheets.read(scope);
    const view = await this.viewFor(
      principal,
      (sheet?.budgets ?? []).filter(({ id }) => id === params.budgetId).map((budget) => budget.scope),
    );
    const now = this.clock.now();
    let isRaised = false;
    const shown = await this.work.run(principal, async (tx) => {
      const { before, current, budget } = await this.find(scope, params.budgetId, tx);
      if (budget.version !== body.version)
        throw new Problem('platform.conflict', { current: view(toBudget(budget, current)) });
      const { softLimit, hardLimit } = body;
      const limits = { softLimit, hardLimit };
      const told = budget.told.filter((threshold) => limitOf(budget, threshold) === limitOf(limits, threshold));
      const changed = { ...budget, ...limits, told, version: budget.version + 1 };
      const budgets = current.budgets.map((one) => (one.id === budget.id ? changed : one));
      const after = withReached({ ...current, budgets });
      await this.sheets.write(scope, tx, { before, after });
      isRaised = (hardLimit ?? Infinity) > (budget.hardLimit ?? Infinity);
      if (isRaised) await this.requests.forget(scope, tx, budget.id);
      await this.tell(scope, tx, { by: principal.userId, before: budget, after: changed });
      return view(toBudget(changed, after));
    });
    if (isRaised) await this.requests.forgetRest(scope, params.budgetId, now);
    return shown;
  }

  async delete({ scope, principal, params }: InputOf<typeof deleteBudget>): Promise<void> {
    const now = this.clock.now();
    await this.work.run(principal, async (tx) => {
      const { before, current, budget } = await this.find(scope, params.budgetId, tx);
      const after = { ...current, budgets: current.budgets.filter(({ id }) => id !== budget.id) };
      await this.sheets.write(scope, tx, { before, after });
      await this.requests.forget(scope, tx, budget.id);
      await this.tell(scope, tx, { by: principal.userId, before: budget, after: null });
    });
    await this.requests.forgetRest(scope, params.budgetId, now);
  }

  /** A new time zone counts from the next period on. */
  async renewTimeZone(scope: OrganisationScope, tx: Transaction): Promise<void> {
    const before = await this.sheets.read(scope, tx);
    if (!before) return;
    const timeZone = await this.timeZoneOf(scope);
    if (timeZone !== before.timeZone) await this.sheets.write(scope, tx, { before, after: { ...before, timeZone } });
  }

  /** Of now; nothing is written. */
  async current(scope: OrganisationScope): Promise<BudgetSheet | null> {
    const sheet = await this.sheets.read(scope);
    const now = this.clock.now();
    return sheet && withoutExpired(inPeriodOf(sheet, now), now).sheet;
  }

  async timeZoneOf({ orgId }: OrganisationScope): Promise<string> {
    return (await this.organisations.facts(orgId)).timeZone;
  }

  /**
   * As the reader may see budgets: what a person or a small group has used is for those who may see what each person
   * uses, and of the own budget.
   */
  async viewFor(
    { userId, organisation }: PersonPrincipal,
    whose: readonly BudgetScope[],
  ): Promise<(budget: Budget) => Budget> {
    if (!organisation || organisation.permissions.includes('usage:read_person')) return (budget) => budget;
    const groups = whose.some(({ kind }) => kind === 'group')
      ? await this.organisations.groups(organisation.orgId)
      : [];
    const large = new Set(groups.filter(({ userIds }) => userIds.length >= fewestShown).map(({ id }) => id));
    const isKnown = ({ scope }: Budget): boolean =>
      scope.kind === 'person' ? scope.id === userId : scope.kind !== 'group' || large.has(scope.id);
    return (budget) => (isKnown(budget) ? budget : withoutAmounts(budget));
  }

  /** Publishes the change; limits of money with their currency, for the audit log. */
  private async tell({ orgId }: OrganisationScope, tx: Transaction, { by, before, after }: Told): Promise<void> {
    const { id: budgetId, scope, version, unit } = (after ?? before)!;
    tx.record(budgetChanged, {
      orgId,
      budgetId,
      version: after ? version : version + 1,
      change: before === null ? 'created' : after === null ? 'deleted' : 'updated',
      scope,
      hasHardLimit: (after?.hardLimit ?? null) !== null,
      by,
      before: before && limitsOf(before),
      after: after && limitsOf(after),
      currency: unit === 'money' ? await this.rates.currency(prices, tx) : null,
    });
  }

  private async membersOf({ orgId }: OrganisationScope, whose: BudgetScope): Promise<readonly UserId[]> {
    if (whose.kind !== 'group') return [];
    return (await this.organisations.groups(orgId)).find(({ id }) => id === whose.id)?.userIds ?? [];
  }

  private async find(
    scope: OrganisationScope,
    budgetId: BudgetId,
    tx: Transaction,
  ): Promise<{ before: BudgetSheet; current: BudgetSheet; budget: CountedBudget }> {
    const before = await this.sheets.read(scope, tx);
    const current = before && inPeriodOf(before, this.clock.now());
    const budget = current?.budgets.find(({ id }) => id === budgetId);
    if (!budget) throw new Problem('billing.budget-not-found');
    return { before: before!, current: current!, budget };
  }
}

type Wanted = BodyOf<typeof createBudget>;
type Kind = Pick<CountedBudget, 'scope' | 'period' | 'unit'>;

const isSameKind = (one: Kind, other: Kind): boolean =>
  one.period === other.period &&
  one.unit === other.unit &&
  one.scope.kind === other.scope.kind &&
  idOf(one.scope) === idOf(other.scope);
const idOf = (scope: Kind['scope']): string | null => (scope.kind === 'organisation' ? null : scope.id);

/** `begun`: what was used of it in its period so far, where it begins with that. */
type Start = { readonly period: Period; readonly begun: Amount | null; readonly now: Date };

function newBudget(wanted: Wanted, { period, begun, now }: Start): CountedBudget {
  const { id, scope, period: every, unit, softLimit, hardLimit } = wanted;
  const { start, beganAt, resetsAt } = period;
  const counted = { spent: begun ? amountIn(wanted, begun) : 0, countsFrom: begun ? beganAt : now };
  const chosen = { id, scope, period: every, unit, softLimit, hardLimit };
  return { ...chosen, version: 1, ...counted, periodStart: start, resetsAt, told: [] };
}

type Told = { readonly by: UserId; readonly before: CountedBudget | null; readonly after: CountedBudget | null };

const limitsOf = ({ unit, period, softLimit, hardLimit }: CountedBudget) => ({ unit, period, softLimit, hardLimit });
