import { Controller, Global, Module } from '@nestjs/common';
import { Ctx, EventPattern, Payload } from '@nestjs/microservices';
import { flowChanged } from '@parley/contracts';
import type { DataOf, EventEnvelope } from '@parley/protocol';
import type { EventContext } from '../../events/consumers/index.ts';
import { Flows } from './flows.ts';

@Controller()
export class FlowsConsumer {
  constructor(private readonly flows: Flows) {}

  @EventPattern<string>(flowChanged.type, { consumer: 'keep-share' })
  async keep(
    @Payload() { data }: EventEnvelope<DataOf<typeof flowChanged>>,
    @Ctx() { scope, tx }: EventContext,
  ): Promise<void> {
    await this.flows.keep(scope, data, tx);
  }
}

/** Keeps a service's copy of each organisation's flow (share of capacity); for services with shared workers. */
@Global()
@Module({ controllers: [FlowsConsumer], providers: [Flows], exports: [Flows] })
export class FlowsModule {}
