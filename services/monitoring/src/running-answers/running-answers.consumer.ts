import { Controller } from '@nestjs/common';
import { Ctx, EventPattern, Payload } from '@nestjs/microservices';
import {
  generationAttemptEnded,
  generationQueued,
  presenceBell,
  type DataOf,
  type EventEnvelope,
} from '@parley/contracts';
import type { EventContext } from '@parley/platform/event-bus';
import { Platform } from '@parley/platform/service';
import { RunningAnswers } from './running-answers.ts';

/** Events of one answer come in their order. A ring may come before the commit: pages ask again soon in any case. */
@Controller()
export class RunningAnswersConsumer {
  constructor(
    private readonly answers: RunningAnswers,
    private readonly platform: Platform,
  ) {}

  @EventPattern<string>(generationQueued.type, { consumer: 'answer-begins' })
  async begin(
    @Payload() { data, time }: EventEnvelope<DataOf<typeof generationQueued>>,
    @Ctx() { scope, tx }: EventContext,
  ): Promise<void> {
    const { generationId: _id, userId, model, queuedAt = time } = data;
    await this.answers.begin(scope, tx, { _id, userId, model, queuedAt: new Date(queuedAt) });
    this.platform.doorbell.ring(presenceBell(data.orgId));
  }

  @EventPattern<string>(generationAttemptEnded.type, { consumer: 'answer-ends' })
  async end(
    @Payload() { data }: EventEnvelope<DataOf<typeof generationAttemptEnded>>,
    @Ctx() { scope, tx }: EventContext,
  ): Promise<void> {
    if (!data.final) return;
    await this.answers.end(scope, tx, data.generationId);
    this.platform.doorbell.ring(presenceBell(data.orgId));
  }
}
