import { Controller } from '@nestjs/common';
import { Ctx, EventPattern, Payload } from '@nestjs/microservices';
import {
  invitationChanged,
  invitationMailRequested,
  mailEnded,
  mailRevealed,
  queueInvitationMail,
  type DataOf,
  type EventEnvelope,
} from '@parley/contracts';
import type { EventContext } from '@parley/platform/event-bus';
import { jobScope } from '@parley/platform/mongo';
import { Platform } from '@parley/platform/service';
import { AuditLog } from '../audit/index.ts';
import { MembershipsRepository, People } from '../rights/index.ts';
import { InvitationsRepository } from './invitations.repository.ts';

const noting = jobScope('what became of the mail of an invitation');
const mailing = { deadlineMs: 10_000, failMode: 'refuse' } as const;

@Controller()
export class InvitationsConsumer {
  constructor(
    private readonly invitations: InvitationsRepository,
    private readonly memberships: MembershipsRepository,
    private readonly people: People,
    private readonly audit: AuditLog,
    private readonly platform: Platform,
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
    const { email: to, locale, inviterName: inviter, inviterId } = row;
    const { orgId, _id: invitationId, kind, round } = row;
    const invitation = { orgId, invitationId, round };
    const body = {
      eventId,
      invitation,
      to,
      locale,
      organisation,
      inviter,
      inviterId,
      endsAt: row.endsAt.toISOString(),
    };
    const { tokenHash } = await this.platform.peers.call(queueInvitationMail, { body }, mailing);
    if (!(await this.invitations.change(scope, tx, { row, changes: { tokenHash } })))
      throw new Error('The invitation has changed meanwhile: this is tried again.');
    tx.record(invitationChanged, { orgId, invitationId, kind, change: 'mailed', userId: null });
  }

  /** Whether it arrived, for whoever invited; an earlier mail of the same invitation says nothing any more. */
  @EventPattern<string>(mailEnded.type, { consumer: 'note-mail-of-invitation' })
  async noteMail(
    @Payload() { data: { invitation, state } }: EventEnvelope<DataOf<typeof mailEnded>>,
    @Ctx() { tx }: EventContext,
  ): Promise<void> {
    if (!invitation) return;
    const { orgId, invitationId, round } = invitation;
    const scope = noting.in(orgId);
    const row = await this.invitations.find(scope, invitationId, tx);
    if (!row || row.status !== 'pending' || row.round !== round) return;
    if (!(await this.invitations.change(scope, tx, { row, changes: { mail: state } })))
      throw new Error('The invitation has changed meanwhile: this is tried again.');
    tx.record(invitationChanged, { orgId, invitationId, kind: row.kind, change: 'mailed', userId: null });
  }

  /** A platform admin has seen its link to hand it over. */
  @EventPattern<string>(mailRevealed.type, { consumer: 'audit-shown-link' })
  async writeShown(
    @Payload() { data, time }: EventEnvelope<DataOf<typeof mailRevealed>>,
    @Ctx() { tx }: EventContext,
  ): Promise<void> {
    const { invitation, revealedBy: userId, reason } = data;
    if (!invitation) return;
    const { orgId, invitationId } = invitation;
    const row = await this.invitations.find(noting.in(orgId), invitationId, tx);
    await this.audit.write(noting.in(orgId), tx, {
      principal: { userId, name: (await this.people.find(userId)).name },
      act: 'invitation.link-shown',
      target: { id: invitationId, name: row?.email ?? invitationId },
      reason,
      at: new Date(time),
    });
  }
}
