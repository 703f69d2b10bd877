import { Controller } from '@nestjs/common';
import { Ctx, EventPattern, Payload } from '@nestjs/microservices';
import { webhookChanged, type DataOf, type EventEnvelope } from '@parley/contracts';
import type { EventContext } from '@parley/platform/event-bus';
import { People } from '../rights/index.ts';
import { AuditLog } from './audit-log.ts';

/** Webhooks are monitoring's: what is done with them is written down here once monitoring has told it. */
@Controller()
export class WebhookActsConsumer {
  constructor(
    private readonly audit: AuditLog,
    private readonly people: People,
  ) {}

  @EventPattern<string>(webhookChanged.type, { consumer: 'audit-webhook' })
  async write(
    @Payload() { data, time }: EventEnvelope<DataOf<typeof webhookChanged>>,
    @Ctx() { scope, tx }: EventContext,
  ): Promise<void> {
    const { webhookId: id, by, before, after } = data;
    await this.audit.write(scope, tx, {
      principal: { userId: by, name: (await this.people.find(by)).name },
      act: before === null ? 'webhook.created' : after === null ? 'webhook.deleted' : 'webhook.changed',
      target: { id, name: (after ?? before)?.host ?? id },
      before,
      after,
      at: new Date(time),
    });
  }
}
