import { Controller } from '@nestjs/common';
import { Ctx, EventPattern } from '@nestjs/microservices';
import { organisationUpdated } from '@parley/contracts';
import type { EventContext } from '@parley/platform/event-bus';
import { BudgetsService } from './budgets.service.ts';

@Controller()
export class BudgetsConsumer {
  constructor(private readonly budgets: BudgetsService) {}

  /** Periods begin by the organisation's time zone. */
  @EventPattern<string>(organisationUpdated.type, { consumer: 'budget-time-zone' })
  async organisationUpdated(@Ctx() { scope, tx }: EventContext): Promise<void> {
    await this.budgets.renewTimeZone(scope, tx);
  }
}
