import { Controller } from '@nestjs/common';
import { Ctx, EventPattern, Payload } from '@nestjs/microservices';
import { membershipRemoved } from '@parley/contracts';
import type { DataOf, EventEnvelope } from '@parley/protocol';
import type { EventContext } from '@parley/platform/event-bus';
import { ImportsRepository } from './imports.repository.ts';

@Controller()
export class ImportsConsumer {
  constructor(private readonly imports: ImportsRepository) {}

  /** Their imports go with their uploads, whatever became of them; a sweep deletes them. */
  @EventPattern<string>(membershipRemoved.type, { consumer: 'end-imports-of-who-left' })
  async end(
    @Payload() { data: { userId } }: EventEnvelope<DataOf<typeof membershipRemoved>>,
    @Ctx() { scope, tx }: EventContext,
  ): Promise<void> {
    await this.imports.forgetAll(scope, userId, tx);
  }
}
