import { Controller } from '@nestjs/common';
import { Ctx, EventPattern, Payload } from '@nestjs/microservices';
import { generationAttemptEnded, generationQueued } from '@parley/contracts';
import type { EventContext } from '@parley/platform/event-bus';
import { together, type CountedEvent } from './generation-counts.ts';
import { GenerationCountsService } from './generation-counts.service.ts';

@Controller()
export class GenerationCountsConsumer {
  constructor(private readonly counts: GenerationCountsService) {}

  // Behind the inbox, no projections: a count must not grow by an event that the log holds twice.
  @EventPattern<string>(generationQueued.type, { consumer: 'count-queued', kind: 'batch' })
  countQueued(@Payload() events: readonly CountedEvent[], @Ctx() { tx }: EventContext): Promise<void> {
    return this.counts.add(together(events), tx);
  }

  @EventPattern<string>(generationAttemptEnded.type, { consumer: 'count-ended', kind: 'batch' })
  countEnded(@Payload() events: readonly CountedEvent[], @Ctx() { tx }: EventContext): Promise<void> {
    return this.counts.add(together(events), tx);
  }
}
