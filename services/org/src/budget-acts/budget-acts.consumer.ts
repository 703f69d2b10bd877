import { Controller } from '@nestjs/common';
import { Ctx, EventPattern, Payload } from '@nestjs/microservices';
import { budgetChanged, type BudgetScope, type DataOf, type EventEnvelope } from '@parley/contracts';
import type { EventContext } from '@parley/platform/event-bus';
import type { OrganisationScope } from '@parley/platform/mongo';
import { AuditLog } from '../audit/index.ts';
import { GroupsRepository } from '../groups/index.ts';
import { MembershipsRepository, People } from '../rights/index.ts';

/** Budgets are billing's: what is done with them is written down here once billing has told it. */
@Controller()
export class BudgetActsConsumer {
  constructor(
    private readonly audit: AuditLog,
    private readonly people: People,
    private readonly groups: GroupsRepository,
    private readonly memberships: MembershipsRepository,
  ) {}

  @EventPattern<string>(budgetChanged.type, { consumer: 'audit-budget' })
  async write(
    @Payload() { data, time, snapshot }: EventEnvelope<DataOf<typeof budgetChanged>>,
    @Ctx() { scope, tx }: EventContext,
  ): Promise<void> {
    const { by, before = null, after = null } = data;
    if (by === undefined || snapshot) return;
    await this.audit.write(scope, tx, {
      principal: { userId: by, name: (await this.people.find(by)).name },
      act: before === null ? 'budget.created' : after === null ? 'budget.deleted' : 'budget.changed',
      target: await this.targetOf(scope, data.scope),
      before,
      after,
      at: new Date(time),
    });
  }

  /** Whose use it counts. */
  private async targetOf(scope: OrganisationScope, whose: BudgetScope): Promise<{ id: string; name: string }> {
    if (whose.kind === 'organisation') {
      const { _id: id, name } = await this.memberships.organisation(scope);
      return { id, name };
    }
    const { id } = whose;
    // Somebody else's id tells nothing here, and may be nobody's.
    if (whose.kind === 'person') return { id, name: (await this.memberships.find(scope, whose.id))?.name ?? id };
    if (whose.kind === 'chatbot') return { id, name: whose.name };
    if (whose.kind === 'model') return { id, name: id.slice(id.indexOf('/') + 1) };
    const [name = id] = await this.groups.names(scope, [whose.id]);
    return { id, name };
  }
}
