import { Controller } from '@nestjs/common';
import { Ctx, EventPattern, Payload } from '@nestjs/microservices';
import { apiKeyCreated, apiKeyRevoked, type DataOf, type EventEnvelope } from '@parley/contracts';
import type { EventContext } from '@parley/platform/event-bus';
import { People } from '../rights/index.ts';
import { AuditLog } from './audit-log.ts';

/** API keys are auth's: what is done with them is written down here once auth has told it. */
@Controller()
export class KeyActsConsumer {
  constructor(
    private readonly audit: AuditLog,
    private readonly people: People,
  ) {}

  @EventPattern<string>(apiKeyCreated.type, { consumer: 'audit-key-created' })
  async writeCreated(
    @Payload() { data, time }: EventEnvelope<DataOf<typeof apiKeyCreated>>,
    @Ctx() { scope, tx }: EventContext,
  ): Promise<void> {
    const { userId, apiKeyId, name, permissions, endsAt } = data;
    await this.audit.write(scope, tx, {
      principal: { userId, name: (await this.people.find(userId)).name },
      act: 'api-key.created',
      target: { id: apiKeyId, name },
      after: { permissions, endsAt },
      at: new Date(time),
    });
  }

  /** One that ended because its owner has left is told by that. */
  @EventPattern<string>(apiKeyRevoked.type, { consumer: 'audit-key-revoked' })
  async writeRevoked(
    @Payload() { data, time }: EventEnvelope<DataOf<typeof apiKeyRevoked>>,
    @Ctx() { scope, tx }: EventContext,
  ): Promise<void> {
    const { userId, apiKeyId, name, by, reason } = data;
    if (by === null) return;
    const owner = await this.people.find(userId);
    const actor = by === userId ? owner : await this.people.find(by);
    await this.audit.write(scope, tx, {
      principal: { userId: by, name: actor.name },
      act: 'api-key.revoked',
      target: { id: apiKeyId, name },
      before: { owner: owner.name },
      reason,
      at: new Date(time),
    });
  }
}
