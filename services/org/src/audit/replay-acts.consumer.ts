import { Controller } from '@nestjs/common';
import { Ctx, EventPattern, Payload } from '@nestjs/microservices';
import { lettersReplayed, type DataOf, type EventEnvelope } from '@parley/contracts';
import type { EventContext } from '@parley/platform/event-bus';
import { MembershipsRepository, People } from '../rights/index.ts';
import { AuditLog } from './audit-log.ts';

/** That a platform admin had events handled again is monitoring's to tell. */
@Controller()
export class ReplayActsConsumer {
  constructor(
    private readonly audit: AuditLog,
    private readonly people: People,
    private readonly memberships: MembershipsRepository,
  ) {}

  @EventPattern<string>(lettersReplayed.type, { consumer: 'audit-events-replayed' })
  async writeReplayed(
    @Payload() { data, time }: EventEnvelope<DataOf<typeof lettersReplayed>>,
    @Ctx() { scope, tx }: EventContext,
  ): Promise<void> {
    const { orgId, by, service, ids } = data;
    const [actor, organisation] = [await this.people.find(by), await this.memberships.organisation(scope, tx)];
    await this.audit.write(scope, tx, {
      principal: { userId: by, name: actor.name },
      act: 'events.replayed',
      target: { id: orgId, name: organisation.name },
      after: { service, events: ids },
      at: new Date(time),
    });
  }
}
