import { Controller, Global, Module } from '@nestjs/common';
import { Ctx, EventPattern, Payload } from '@nestjs/microservices';
import { shareChanged } from '@parley/contracts';
import type { DataOf, EventEnvelope } from '@parley/protocol';
import type { EventContext } from '../../events/consumers/index.ts';
import { Shares } from './shares.ts';

@Controller()
export class SharesConsumer {
  constructor(private readonly shares: Shares) {}

  @EventPattern<string>(shareChanged.type, { consumer: 'keep-share' })
  async keep(
    @Payload() { data }: EventEnvelope<DataOf<typeof shareChanged>>,
    @Ctx() { scope, tx }: EventContext,
  ): Promise<void> {
    await this.shares.keep(scope, data, tx);
  }
}

/** A service's copy of which organisations share their turns; for services with shared workers. */
@Global()
@Module({ controllers: [SharesConsumer], providers: [Shares], exports: [Shares] })
export class SharesModule {}
