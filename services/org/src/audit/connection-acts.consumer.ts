import { Controller } from '@nestjs/common';
import { Ctx, EventPattern, Payload } from '@nestjs/microservices';
import { connectionChanged, searchTested, type DataOf, type EventEnvelope } from '@parley/contracts';
import type { EventContext } from '@parley/platform/event-bus';
import { People } from '../rights/index.ts';
import { AuditLog } from './audit-log.ts';

/** Data connections are chat's: what people do with them is written down here once chat has told it. */
@Controller()
export class ConnectionActsConsumer {
  constructor(
    private readonly audit: AuditLog,
    private readonly people: People,
  ) {}

  @EventPattern<string>(connectionChanged.type, { consumer: 'audit-connection' })
  async write(
    @Payload() { data, time }: EventEnvelope<DataOf<typeof connectionChanged>>,
    @Ctx() { scope, tx }: EventContext,
  ): Promise<void> {
    const { connectionId: id, by, change, name, source, before, after } = data;
    await this.audit.write(scope, tx, {
      principal: { userId: by, name: (await this.people.find(by)).name },
      act: `connection.${change}`,
      target: { id, name },
      before: before && { source, readers: before },
      after: after && { source, readers: after },
      at: new Date(time),
    });
  }

  /** What was looked for is written nowhere. */
  @EventPattern<string>(searchTested.type, { consumer: 'audit-search-tested' })
  async writeTested(
    @Payload() { data, time }: EventEnvelope<DataOf<typeof searchTested>>,
    @Ctx() { scope, tx }: EventContext,
  ): Promise<void> {
    const { by, userId } = data;
    const [actor, person] = await Promise.all([this.people.find(by), this.people.find(userId)]);
    await this.audit.write(scope, tx, {
      principal: { userId: by, name: actor.name },
      act: 'search.tested-as',
      target: { id: userId, name: person.name },
      at: new Date(time),
    });
  }
}
