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
  type EventId,
} from '@parley/contracts';
import type { EventContext } from '@parley/platform/event-bus';
import { jobScope } from '@parley/platform/mongo';
import { Platform } from '@parley/platform/service';
import { AuditLog } from '../audit/index.ts';
import { MembershipsRepository, People } from '../rights/index.ts';
import type { InvitationRow } from './invitation.collection.ts';
import { InvitationsRepository } from './invitations.repository.ts';

const noting = jobScope('what became of the mail of an invitation');
const mailing = jobScope('having invitations mailed');
const asking = { deadlineMs: 10_000, failMode: 'refuse' } as const;
/** Mails that auth is asked for at the same time. */
const mostCalls = 16;

type Requested = DataOf<typeof invitationMailRequested>;
type Mailed = {
  readonly eventId: EventId;
  readonly row: InvitationRow;
  readonly to: string;
  readonly organisation: string;
};

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
   * Has auth mail them, some at once. One event leads to one mail and one secret, of which the hash comes back, however
   * often this runs. What was resent or has ended meanwhile is left alone.
   */
  @EventPattern<string>(invitationMailRequested.type, { consumer: 'mail-invitation', kind: 'batch' })
  async mail(@Payload() events: readonly EventEnvelope<Requested>[], @Ctx() { tx }: EventContext): Promise<void> {
    for (const [orgId, asked] of Map.groupBy(events, ({ data }) => data.orgId)) {
      const scope = mailing.in(orgId);
      const { name: organisation } = await this.memberships.organisation(scope, tx);
      const wanted = asked.map(({ data: { invitationId } }) => invitationId);
      const rows = await this.invitations.within(scope, tx).find({ _id: { $in: wanted }, status: 'pending' });
      const open = new Map(rows.map((row) => [row._id, row]));
      const changes: Parameters<ReturnType<InvitationsRepository['within']>['updateEach']>[0][number][] = [];
      for (let at = 0; at < asked.length; at += mostCalls) {
        const calls = asked.slice(at, at + mostCalls).map(async ({ id: eventId, data: { invitationId, round } }) => {
          const row = open.get(invitationId);
          if (!row?.email || row.round !== round) return;
          const tokenHash = await this.queueMail({ eventId, row, to: row.email, organisation });
          changes.push({ filter: { _id: invitationId, round, status: 'pending' }, change: { $set: { tokenHash } } });
        });
        await Promise.all(calls);
      }
      await this.invitations.within(scope, tx).updateEach(changes);
    }
  }

  private async queueMail({ eventId, row, to, organisation }: Mailed): Promise<string> {
    const { locale, inviterName: inviter, inviterId, orgId, _id: invitationId, round } = row;
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
    return (await this.platform.peers.call(queueInvitationMail, { body }, asking)).tokenHash;
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
