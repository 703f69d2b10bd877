import { Controller } from '@nestjs/common';
import { Ctx, EventPattern, Payload } from '@nestjs/microservices';
import { budgetChanged } from '@parley/contracts';
import type { DataOf, EventEnvelope } from '@parley/protocol';
import type { EventContext } from '@parley/platform/event-bus';
import { HardLimits } from './hard-limits.ts';

@Controller()
export class HardLimitsConsumer {
  constructor(private readonly limits: HardLimits) {}

  @EventPattern<string>(budgetChanged.type, { consumer: 'keep-hard-limits' })
  async keep(
    @Payload() { data }: EventEnvelope<DataOf<typeof budgetChanged>>,
    @Ctx() { scope, tx }: EventContext,
  ): Promise<void> {
    await this.limits.keep(scope, data, tx);
  }
}
