import { Injectable } from '@nestjs/common';
import {
  budgetRaiseRequested,
  budgetRequestDismissed,
  isCountedBy,
  listHolders,
  type askForBudget,
  type Budget,
  type countBudgetRequests,
  type dismissBudgetRequest,
  type KnownBudget,
  type listMyBudgets,
  type PersonPrincipal,
} from '@parley/contracts';
import { Clock } from '@parley/platform/clock';
import { jobScope, type OrganisationScope } from '@parley/platform/mongo';
import { Platform, type InputOf } from '@parley/platform/service';
import { Work } from '@parley/platform/work';
import { Problem, type ResponseOf } from '@parley/protocol';
import { SpentBefore } from '../entries/index.ts';
import { RatesRepository } from '../rates/index.ts';
import { BudgetRequests } from './budget-requests.repository.ts';
import type { CountedBudget } from './budget-sheet.collection.ts';
import { inOrderOfStop, moreOf, shareOf } from './my-budget.ts';
import { toBudget, toRequest, withoutAmounts } from './budget-views.ts';
import { BudgetsService } from './budgets.service.ts';

const asking = { deadlineMs: 2_000, failMode: { otherwise: { items: [] } } } as const;
const mostRaisers = 10;
const prices = jobScope('what people have left is in one currency');

/** Tells people what they have left, and takes and counts their requests for more. */
@Injectable()
export class MyBudgetsService {
  constructor(
    private readonly budgets: BudgetsService,
    private readonly requests: BudgetRequests,
    private readonly rates: RatesRepository,
    private readonly spentBefore: SpentBefore,
    private readonly platform: Platform,
    private readonly work: Work,
    private readonly clock: Clock,
  ) {}

  async list({ scope, principal }: InputOf<typeof listMyBudgets>): Promise<ResponseOf<typeof listMyBudgets>> {
    const [sheet, currency] = await Promise.all([this.budgets.current(scope), this.rates.currency(prices)]);
    if (!sheet) return { items: [], currency, timeZone: 'UTC', raisers: [] };
    const mine = sheet.budgets.filter((budget) => isMine(budget, principal));
    const [asked, view, tokenMicros] = await Promise.all([
      this.requests.askedBy(scope, principal.userId, mine),
      this.viewFor(principal, mine),
      this.spentBefore.tokenMicros(scope, this.clock.now()),
    ]);
    const items = inOrderOfStop(sheet, mine, tokenMicros).map((budget) => ({
      ...view(withoutName(toBudget(budget, sheet))),
      share: shareOf(budget, sheet),
      hasAsked: asked.has(budget.id),
    }));
    const isUsedUp = mine.some(({ told }) => told.includes('hard'));
    return { items, currency, timeZone: sheet.timeZone, raisers: isUsedUp ? await this.raisers(scope) : [] };
  }

  async ask({ scope, principal, body }: InputOf<typeof askForBudget>): Promise<ResponseOf<typeof askForBudget>> {
    const sheet = await this.budgets.current(scope);
    const budget = sheet?.budgets.find(({ id }) => id === body.budgetId);
    if (!budget || !isMine(budget, principal)) throw new Problem('billing.budget-not-found');
    const view = await this.viewFor(principal, [budget]);
    const isKnown = view(toBudget(budget, sheet!)).hardLimit !== null;
    const amount = body.amount ?? moreOf(budget);
    return this.work.run(principal, async (tx) => {
      const { userId, name } = principal;
      const asked = { userId, name, amount, at: this.clock.now() };
      const { row, isNew } = await this.requests.add(scope, tx, { budget, asked });
      if (isNew) tx.record(budgetRaiseRequested, { orgId: scope.orgId, budgetId: budget.id, userId, amount });
      return { ...toRequest(row), ...(!isKnown && { amount: null }) };
    });
  }

  async dismiss({ scope, principal, params }: InputOf<typeof dismissBudgetRequest>): Promise<void> {
    const { budgetId, userId } = params;
    const sheet = await this.budgets.current(scope);
    if (!sheet?.budgets.some(({ id }) => id === budgetId)) throw new Problem('billing.budget-not-found');
    await this.work.run(principal, async (tx) => {
      const isDismissed = await this.requests.dismiss(scope, tx, { budgetId, userId, at: this.clock.now() });
      if (isDismissed) tx.record(budgetRequestDismissed, { orgId: scope.orgId, budgetId, userId });
    });
  }

  async count({ scope }: InputOf<typeof countBudgetRequests>): Promise<ResponseOf<typeof countBudgetRequests>> {
    const sheet = await this.budgets.current(scope);
    return { waiting: await this.requests.count(scope, sheet?.budgets ?? []) };
  }

  /** Amounts are of one's own budget; of others for those who may see all of them, as far as they may there. */
  private async viewFor(
    principal: PersonPrincipal,
    budgets: readonly CountedBudget[],
  ): Promise<(budget: Budget) => Budget> {
    const maySeeAll = principal.organisation?.permissions.includes('budget:read') === true;
    const others = budgets.map(({ scope }) => scope).filter(({ kind }) => kind !== 'person');
    const viewOfAll = maySeeAll ? await this.budgets.viewFor(principal, others) : withoutAmounts;
    return (budget) => {
      if (budget.scope.kind === 'person') return budget;
      const shown = viewOfAll(budget);
      return shown.spent === null ? { ...shown, softLimit: null, hardLimit: null } : shown;
    };
  }

  private async raisers({ orgId }: OrganisationScope): Promise<string[]> {
    const query = { permission: 'budget:manage', limit: mostRaisers } as const;
    const { items } = await this.platform.peers.call(listHolders, { params: { orgId }, query }, asking);
    return items.map(({ name }) => name);
  }
}

/** Chatbots that are not for everybody are named to nobody else: who may use one knows its name from chat. */
const withoutName = (budget: KnownBudget): KnownBudget =>
  budget.scope.kind === 'chatbot' ? { ...budget, scope: { ...budget.scope, name: '' } } : budget;

/** Those of models and chatbots are for whoever asks them. */
const isMine = (budget: CountedBudget, { userId, organisation }: PersonPrincipal): boolean =>
  budget.scope.kind === 'model' ||
  budget.scope.kind === 'chatbot' ||
  isCountedBy(budget.scope, { userId, groupIds: organisation?.groupIds ?? [], model: '', chatbotId: null });
