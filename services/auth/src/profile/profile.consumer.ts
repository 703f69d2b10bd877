import { Controller } from '@nestjs/common';
import { Ctx, EventPattern, Payload } from '@nestjs/microservices';
import { invitationChanged } from '@parley/contracts';
import type { EventContext } from '@parley/platform/event-bus';
import { jobScope } from '@parley/platform/mongo';
import type { DataOf, EventEnvelope } from '@parley/protocol';
import { UsersRepository } from '../users/index.ts';

const proving = jobScope('a mailed secret came back');

@Controller()
export class ProfileConsumer {
  constructor(private readonly users: UsersRepository) {}

  /** Whether the invitation verifies the address of who has accepted it, org knows (ADR 0036). */
  @EventPattern<string>(invitationChanged.type, { consumer: 'prove-invited-address' })
  async proveInvited(
    @Payload() { data }: EventEnvelope<DataOf<typeof invitationChanged>>,
    @Ctx() { tx }: EventContext,
  ): Promise<void> {
    if (data.change === 'accepted' && data.provesAddress === true && data.userId !== null)
      await this.users.prove(proving.of(data.userId), tx);
  }
}
