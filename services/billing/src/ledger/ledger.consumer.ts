import { Controller } from '@nestjs/common';
import { Ctx, EventPattern, Payload } from '@nestjs/microservices';
import { embeddingEnded, generationAttemptEnded, titleEnded } from '@parley/contracts';
import type { DataOf, EventEnvelope } from '@parley/protocol';
import type { EventContext } from '@parley/platform/event-bus';
import { LedgerService } from './ledger.service.ts';

@Controller()
export class LedgerConsumer {
  constructor(private readonly ledger: LedgerService) {}

  /**
   * One entry per attempt: every attempt has cost something, also one that was interrupted. Few together: all of an
   * organisation change the same totals, and whoever holds budget waits for them.
   */
  @EventPattern<string>(generationAttemptEnded.type, { consumer: 'write-ledger-entry', mostTogether: 16 })
  async writeEntry(
    @Payload() event: EventEnvelope<DataOf<typeof generationAttemptEnded>>,
    @Ctx() context: EventContext,
  ): Promise<void> {
    await this.ledger.append(context.scope, event, context.tx);
  }

  /** Also when it is not known whether the model answered. */
  @EventPattern<string>(embeddingEnded.type, { consumer: 'write-embedding-entry', mostTogether: 16 })
  async writeEmbedding(
    @Payload() event: EventEnvelope<DataOf<typeof embeddingEnded>>,
    @Ctx() context: EventContext,
  ): Promise<void> {
    await this.ledger.appendEmbedding(context.scope, event, context.tx);
  }

  /** Also when it is not known what the model used. */
  @EventPattern<string>(titleEnded.type, { consumer: 'write-title-entry', mostTogether: 16 })
  async writeTitle(
    @Payload() event: EventEnvelope<DataOf<typeof titleEnded>>,
    @Ctx() context: EventContext,
  ): Promise<void> {
    await this.ledger.appendTitle(context.scope, event, context.tx);
  }
}
