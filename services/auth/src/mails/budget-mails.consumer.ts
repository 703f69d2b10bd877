import { Controller } from '@nestjs/common';
import { Ctx, EventPattern, Payload } from '@nestjs/microservices';
import {
  budgetThresholdCrossed,
  getOrganisationFacts,
  listGroupMembers,
  listHolders,
  type BudgetScope,
  type Permission,
} from '@parley/contracts';
import type { EventContext } from '@parley/platform/event-bus';
import { jobScope } from '@parley/platform/mongo';
import { Platform } from '@parley/platform/service';
import type { DataOf, EventEnvelope, OrgId, UserId } from '@parley/protocol';
import { UsersRepository } from '../users/index.ts';
import type { MailContents } from './mail-content.ts';
import { MailsService } from './mails.service.ts';

const telling = jobScope('telling people that a budget has reached a limit');
const asking = { deadlineMs: 5_000, failMode: 'refuse' } as const;
const mostTold = 100;

type Reached = DataOf<typeof budgetThresholdCrossed>;

/** Budgets are billing's: that one has reached a limit is mailed to whoever may change it, and to whose own it is. */
@Controller()
export class BudgetMailsConsumer {
  constructor(
    private readonly mails: MailsService,
    private readonly users: UsersRepository,
    private readonly platform: Platform,
  ) {}

  @EventPattern<string>(budgetThresholdCrossed.type, { consumer: 'tell-of-reached-budget' })
  async tellOfReachedBudget(
    @Payload() { id: eventId, data }: EventEnvelope<Reached>,
    @Ctx() { tx }: EventContext,
  ): Promise<void> {
    const { orgId, scope } = data;
    // Earlier versions did not tell when it starts again: that was before anybody was mailed.
    if (data.resetsAt === undefined) return;
    const [facts, managers, name] = await Promise.all([
      this.platform.peers.call(getOrganisationFacts, { params: { orgId } }, asking),
      this.managers(orgId, scope),
      this.nameOf(orgId, scope),
    ]);
    const owner = scope.kind === 'person' ? scope.id : null;
    for (const recipient of new Set([...managers, ...(owner === null ? [] : [owner])])) {
      const person = await this.users.findById(telling.of(recipient));
      if (!person) continue;
      const isOnlyTheirs = recipient === owner && !managers.includes(recipient);
      const whose: Told['whose'] = isOnlyTheirs ? 'own' : scope.kind;
      const told = {
        organisation: facts.name,
        whose,
        name,
        timeZone: facts.timeZone,
        ...figuresOf(data, data.resetsAt),
      };
      const content = { kind: 'budget-reached', ...told } as const;
      const { email: to, locale } = person;
      await this.mails.queue(tx, { eventId, recipient, to, locale, content, sentFor: { orgId } });
    }
  }

  /** Of a person's budget those only who may see what each person uses: the email says how much. */
  private async managers(orgId: OrgId, scope: BudgetScope): Promise<UserId[]> {
    const holding = async (permission: Permission): Promise<UserId[]> => {
      const query = { permission, limit: mostTold };
      const { items } = await this.platform.peers.call(listHolders, { params: { orgId }, query }, asking);
      return items.map(({ userId }) => userId);
    };
    const managers = await holding('budget:manage');
    if (scope.kind !== 'person') return managers;
    const readers = new Set(await holding('usage:read_person'));
    return managers.filter((userId) => readers.has(userId));
  }

  /** Of a group, person, model or chatbot; what is gone meanwhile is named by its id. */
  private async nameOf(orgId: OrgId, scope: BudgetScope): Promise<string> {
    switch (scope.kind) {
      case 'organisation':
        return '';
      case 'group': {
        const { items } = await this.platform.peers.call(listGroupMembers, { params: { orgId } }, asking);
        return items.find(({ id }) => id === scope.id)?.name ?? scope.id;
      }
      case 'person':
        return (await this.users.findById(telling.of(scope.id)))?.name ?? scope.id;
      case 'chatbot':
        return scope.name;
      case 'model':
        return scope.id.slice(scope.id.indexOf('/') + 1);
    }
  }
}

type Told = MailContents['budget-reached'];
type Figures = Pick<Told, 'threshold' | 'spent' | 'limit' | 'resetsAt'>;

const figuresOf = ({ threshold, spent, limit, currency = null }: Reached, resetsAt: string): Figures => ({
  threshold,
  spent: { value: spent, currency },
  limit: { value: limit, currency },
  resetsAt: new Date(resetsAt),
});
