import { Controller } from '@nestjs/common';
import { Ctx, EventPattern, Payload } from '@nestjs/microservices';
import { generationAttemptEnded, ledgerEntryAdded } from '@parley/contracts';
import type { DataOf, EventEnvelope } from '@parley/protocol';
import type { EventContext } from '@parley/platform/event-bus';
import { CountAttempts } from './count-attempts.ts';

@Controller()
export class MetricsConsumer {
  constructor(private readonly counting: CountAttempts) {}

  @EventPattern<string>(generationAttemptEnded.type, { consumer: 'count-metrics', kind: 'batch' })
  count(
    @Payload() events: readonly EventEnvelope<DataOf<typeof generationAttemptEnded>>[],
    @Ctx() { tx }: EventContext,
  ): Promise<void> {
    return this.counting.count(events, tx);
  }

  @EventPattern<string>(ledgerEntryAdded.type, { consumer: 'count-embeddings', kind: 'batch' })
  countEmbeddings(
    @Payload() events: readonly EventEnvelope<DataOf<typeof ledgerEntryAdded>>[],
    @Ctx() { tx }: EventContext,
  ): Promise<void> {
    return this.counting.countEmbeddings(events, tx);
  }
}
