import { Controller } from '@nestjs/common';
import { Ctx, EventPattern, Payload } from '@nestjs/microservices';
import { generationAttemptEnded, generationQueued } from '@parley/contracts';
import type { EventContext } from '@parley/platform/event-bus';
import { organisationScope } from '@parley/platform/mongo';
import { foldIncrements, type CountedEvent } from './generation-counts.ts';
import { GenerationCountsRepository } from './generation-counts.repository.ts';

@Controller()
export class GenerationCountsConsumer {
  constructor(private readonly counts: GenerationCountsRepository) {}

  @EventPattern<string>(generationQueued.type, { consumer: 'count-queued', kind: 'projection' })
  async countQueued(@Payload() events: CountedEvent[], @Ctx() context: EventContext): Promise<void> {
    await this.add(events, context);
  }

  @EventPattern<string>(generationAttemptEnded.type, { consumer: 'count-ended', kind: 'projection' })
  async countEnded(@Payload() events: CountedEvent[], @Ctx() context: EventContext): Promise<void> {
    await this.add(events, context);
  }

  private async add(events: readonly CountedEvent[], { tx }: EventContext): Promise<void> {
    for (const [orgId, increments] of foldIncrements(events)) await this.counts.add(organisationScope(orgId), increments, tx);
  }
}
