import { Module } from '@nestjs/common';
import { HardLimits } from './hard-limits.ts';
import { HardLimitsConsumer } from './hard-limits.consumer.ts';
import { Reservations } from './reservations.ts';

export { hardLimitKeys } from './hard-limit-keys.ts';
export { HardLimits, isBounded } from './hard-limits.ts';
export { NoBudget, Reservations, type Reserved } from './reservations.ts';

/** Reserves budget in billing before a model is asked. */
@Module({
  controllers: [HardLimitsConsumer],
  providers: [HardLimits, Reservations],
  exports: [HardLimits, Reservations],
})
export class BudgetsModule {}
