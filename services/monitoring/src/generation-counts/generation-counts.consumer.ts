import { Controller } from '@nestjs/common';
import { Ctx, EventPattern, Payload } from '@nestjs/microservices';
import { generationAttemptEnded, generationQueued } from '@parley/contracts';
import type { EventContext } from '@parley/platform/event-bus';
import { incrementsOf, type CountedEvent } from './generation-counts.ts';
import { GenerationCountsRepository } from './generation-counts.repository.ts';

@Controller()
export class GenerationCountsConsumer {
  constructor(private readonly counts: GenerationCountsRepository) {}

  @EventPattern<string>(generationQueued.type, { consumer: 'count-queued' })
  async countQueued(@Payload() event: CountedEvent, @Ctx() context: EventContext): Promise<void> {
    await this.add(event, context);
  }

  @EventPattern<string>(generationAttemptEnded.type, { consumer: 'count-ended' })
  async countEnded(@Payload() event: CountedEvent, @Ctx() context: EventContext): Promise<void> {
    await this.add(event, context);
  }

  /** An effect, not a projection: a count must not grow by an event that the log holds twice. */
  private async add({ data }: CountedEvent, { scope, tx }: EventContext): Promise<void> {
    await this.counts.add(scope, incrementsOf(data), tx);
  }
}
