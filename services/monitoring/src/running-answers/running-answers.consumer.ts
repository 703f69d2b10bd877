import { Controller } from '@nestjs/common';
import { Ctx, EventPattern, Payload } from '@nestjs/microservices';
import { generationAttemptEnded, generationQueued, presenceBell, type GenerationId } from '@parley/contracts';
import type { EventContext } from '@parley/platform/event-bus';
import { Platform } from '@parley/platform/service';
import type { DataOf, EventEnvelope } from '@parley/protocol';
import type { RunningAnswerRow } from './running-answer.collection.ts';
import { RunningAnswers } from './running-answers.ts';

type Queued = DataOf<typeof generationQueued>;
type Ended = DataOf<typeof generationAttemptEnded>;

/** A ring may come before the commit: pages ask again soon in any case. */
@Controller()
export class RunningAnswersConsumer {
  constructor(
    private readonly answers: RunningAnswers,
    private readonly platform: Platform,
  ) {}

  /** One consumer of both: events of one answer come in their order, so none begins after its end. */
  @EventPattern<string[]>([generationQueued.type, generationAttemptEnded.type], {
    consumer: 'follow-answers',
    kind: 'batch',
  })
  async follow(
    @Payload() events: readonly EventEnvelope<Queued | Ended>[],
    @Ctx() { tx }: EventContext,
  ): Promise<void> {
    const running = new Map<GenerationId, RunningAnswerRow>();
    const ended = new Set<GenerationId>();
    for (const { data, time } of events)
      if (!('outcome' in data)) running.set(data.generationId, toRow(data, time));
      else if (data.final && !running.delete(data.generationId)) ended.add(data.generationId);
    if (running.size > 0) await this.answers.begin(tx, [...running.values()]);
    if (ended.size > 0) await this.answers.end(tx, [...ended]);
    for (const orgId of new Set(events.map(({ data }) => data.orgId))) this.platform.doorbell.ring(presenceBell(orgId));
  }
}

const toRow = ({ generationId, orgId, userId, model, queuedAt }: Queued, time: string): RunningAnswerRow => ({
  _id: generationId,
  orgId,
  userId,
  model,
  queuedAt: new Date(queuedAt ?? time),
});
