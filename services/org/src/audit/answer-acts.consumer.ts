import { Controller } from '@nestjs/common';
import { Ctx, EventPattern, Payload } from '@nestjs/microservices';
import { generationStopRequested, type DataOf, type EventEnvelope } from '@parley/contracts';
import type { EventContext } from '@parley/platform/event-bus';
import { People } from '../rights/index.ts';
import { AuditLog } from './audit-log.ts';

/** Answers are chat's: that somebody stopped another person's is written down here once chat has told it. */
@Controller()
export class AnswerActsConsumer {
  constructor(
    private readonly audit: AuditLog,
    private readonly people: People,
  ) {}

  @EventPattern<string>(generationStopRequested.type, { consumer: 'audit-answer-stopped' })
  async writeStopped(
    @Payload() { data, time }: EventEnvelope<DataOf<typeof generationStopRequested>>,
    @Ctx() { scope, tx }: EventContext,
  ): Promise<void> {
    const { generationId, by, userId, model } = data;
    const asker = await this.people.find(userId);
    const actor = by === userId ? asker : await this.people.find(by);
    await this.audit.write(scope, tx, {
      principal: { userId: by, name: actor.name },
      act: 'answer.stopped',
      target: { id: userId, name: asker.name },
      before: { answer: generationId, model },
      at: new Date(time),
    });
  }
}
