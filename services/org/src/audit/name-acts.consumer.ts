import { Controller } from '@nestjs/common';
import { Ctx, EventPattern, Payload } from '@nestjs/microservices';
import { nameRevealed, type DataOf, type EventEnvelope } from '@parley/contracts';
import type { EventContext } from '@parley/platform/event-bus';
import { People } from '../rights/index.ts';
import { AuditLog } from './audit-log.ts';

/** Pseudonyms are monitoring's: that somebody was shown whose one is is written down here once monitoring has told it. */
@Controller()
export class NameActsConsumer {
  constructor(
    private readonly audit: AuditLog,
    private readonly people: People,
  ) {}

  @EventPattern<string>(nameRevealed.type, { consumer: 'audit-name-revealed' })
  async writeRevealed(
    @Payload() { data, time }: EventEnvelope<DataOf<typeof nameRevealed>>,
    @Ctx() { scope, tx }: EventContext,
  ): Promise<void> {
    const { userId, by, reason, until } = data;
    const person = await this.people.find(userId);
    const actor = by === userId ? person : await this.people.find(by);
    await this.audit.write(scope, tx, {
      principal: { userId: by, name: actor.name },
      act: 'name.revealed',
      target: { id: userId, name: person.name },
      after: { until },
      reason,
      at: new Date(time),
    });
  }
}
