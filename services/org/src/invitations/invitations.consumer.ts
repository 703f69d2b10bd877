import { Controller } from '@nestjs/common';
import { Ctx, EventPattern, Payload } from '@nestjs/microservices';
import {
  invitationChanged,
  invitationMailRequested,
  queueInvitationMail,
  type DataOf,
  type EventEnvelope,
} from '@parley/contracts';
import { Clock } from '@parley/platform/clock';
import type { EventContext } from '@parley/platform/event-bus';
import { Platform } from '@parley/platform/service';
import { MembershipsRepository } from '../rights/index.ts';
import { InvitationsRepository } from './invitations.repository.ts';

const mailing = { deadlineMs: 10_000, failMode: 'refuse' } as const;

@Controller()
export class InvitationsConsumer {
  constructor(
    private readonly invitations: InvitationsRepository,
    private readonly memberships: MembershipsRepository,
    private readonly platform: Platform,
    private readonly clock: Clock,
  ) {}

  /**
   * Has auth mail it. One event leads to one mail and one secret, of which the hash comes back, however often this runs.
   * What was resent or has ended meanwhile is left alone.
   */
  @EventPattern<string>(invitationMailRequested.type, { consumer: 'mail-invitation' })
  async mail(
    @Payload() { id: eventId, data }: EventEnvelope<DataOf<typeof invitationMailRequested>>,
    @Ctx() { tx, scope }: EventContext,
  ): Promise<void> {
    const row = await this.invitations.find(scope, data.invitationId, tx);
    if (!row || row.status !== 'pending' || row.round !== data.round || row.email === null) return;
    const { name: organisation } = await this.memberships.organisation(scope, tx);
    const { email: to, locale, inviterName: inviter } = row;
    const body = { eventId, to, locale, organisation, inviter, endsAt: row.endsAt.toISOString() };
    const { tokenHash } = await this.platform.peers.call(queueInvitationMail, { body }, mailing);
    const changes = { tokenHash, sentAt: this.clock.now() };
    if (!(await this.invitations.change(scope, tx, { row, changes })))
      throw new Error('The invitation has changed meanwhile: this is tried again.');
    const { orgId, _id: invitationId, kind } = row;
    tx.record(invitationChanged, { orgId, invitationId, kind, change: 'mailed', userId: null });
  }
}
