import { Controller } from '@nestjs/common';
import { Ctx, EventPattern, Payload } from '@nestjs/microservices';
import { invitationChanged } from '@parley/contracts';
import type { DataOf, EventEnvelope } from '@parley/protocol';
import type { EventContext } from '@parley/platform/event-bus';
import { InvitationMails } from './invitation-mails.ts';

type Changed = DataOf<typeof invitationChanged>;
const ends: ReadonlySet<Changed['change']> = new Set(['accepted', 'declined', 'revoked', 'expired']);

@Controller()
export class InvitationMailsConsumer {
  constructor(private readonly invitationMails: InvitationMails) {}

  /** The mail log offers no link that was used, and none that leads nowhere is mailed. */
  @EventPattern<string>(invitationChanged.type, { consumer: 'withdraw-invitation-mail' })
  async withdrawEnded(@Payload() { data }: EventEnvelope<Changed>, @Ctx() { tx }: EventContext): Promise<void> {
    if (data.kind === 'mail' && ends.has(data.change)) await this.invitationMails.withdraw(tx, data.invitationId);
  }
}
