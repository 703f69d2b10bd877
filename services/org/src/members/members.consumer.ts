import { Controller } from '@nestjs/common';
import { Ctx, EventPattern, Payload } from '@nestjs/microservices';
import { userUpdated } from '@parley/contracts';
import type { DataOf, EventEnvelope } from '@parley/protocol';
import type { EventContext } from '@parley/platform/event-bus';
import { PersonCopies } from './person-copies.ts';

@Controller()
export class MembersConsumer {
  constructor(private readonly copies: PersonCopies) {}

  /** Lists show people under their new name and picture. */
  @EventPattern<string>(userUpdated.type, { consumer: 'copy-person' })
  async copyPerson(
    @Payload() event: EventEnvelope<DataOf<typeof userUpdated>>,
    @Ctx() context: EventContext,
  ): Promise<void> {
    await this.copies.renew(event.data.userId, context.tx);
  }
}
