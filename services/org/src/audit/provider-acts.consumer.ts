import { Controller } from '@nestjs/common';
import { Ctx, EventPattern, Payload } from '@nestjs/microservices';
import { providerConfigured, type DataOf, type EventEnvelope } from '@parley/contracts';
import type { EventContext } from '@parley/platform/event-bus';
import { People } from '../rights/index.ts';
import { AuditLog } from './audit-log.ts';

/** Model servers are chat's: what is done with them is written down here once chat has told it. */
@Controller()
export class ProviderActsConsumer {
  constructor(
    private readonly audit: AuditLog,
    private readonly people: People,
  ) {}

  @EventPattern<string>(providerConfigured.type, { consumer: 'audit-provider' })
  async writeProvider(
    @Payload() { data, time }: EventEnvelope<DataOf<typeof providerConfigured>>,
    @Ctx() { scope, tx }: EventContext,
  ): Promise<void> {
    const { providerId, by, before, after, isKeyChanged } = data;
    await this.audit.write(scope, tx, {
      principal: { userId: by, name: (await this.people.find(by)).name },
      act: before === null ? 'provider.added' : after === null ? 'provider.removed' : 'provider.changed',
      target: { id: providerId, name: (after ?? before)?.name ?? providerId },
      before,
      after: after && isKeyChanged ? { ...after, key: before === null ? 'given' : 'changed' } : after,
      at: new Date(time),
    });
  }
}
