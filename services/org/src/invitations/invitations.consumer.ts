import { Controller } from '@nestjs/common';
import { Ctx, EventPattern, Payload } from '@nestjs/microservices';
import { invitationChanged, invitationMailRequested, mailEnded } from '@parley/contracts';
import { Clock } from '@parley/platform/clock';
import { Doorbell } from '@parley/platform/doorbell';
import type { EventContext } from '@parley/platform/event-bus';
import { jobScope } from '@parley/platform/mongo';
import type { DataOf, EventEnvelope } from '@parley/protocol';
import { MembershipsRepository, flowOf } from '../rights/index.ts';
import { invitationsToMail } from './invitation-mailer.ts';
import { InvitationsRepository } from './invitations.repository.ts';
import { mailEventOf } from './new-invitation.ts';

const noting = jobScope('what became of the mail of an invitation');
const mailing = jobScope('having invitations mailed');

type Requested = DataOf<typeof invitationMailRequested>;

@Controller()
export class InvitationsConsumer {
  constructor(
    private readonly invitations: InvitationsRepository,
    private readonly memberships: MembershipsRepository,
    private readonly clock: Clock,
    private readonly doorbell: Doorbell,
  ) {}

  /** Has them mailed by turns: the many of one organisation are before nobody else's. What was resent or has ended is left alone. */
  @EventPattern<string>(invitationMailRequested.type, { consumer: 'mail-invitation', kind: 'batch' })
  async mail(@Payload() events: readonly EventEnvelope<Requested>[], @Ctx() { tx }: EventContext): Promise<void> {
    const mailDueAt = this.clock.now();
    for (const [orgId, asked] of Map.groupBy(events, ({ data }) => data.orgId)) {
      const scope = mailing.in(orgId);
      const mailFlow = flowOf(await this.memberships.organisation(scope, tx));
      await this.invitations
        .within(scope, tx)
        .updateEach(
          asked.map(({ data: { invitationId: _id, round } }) => ({
            filter: { _id, round, status: 'pending' },
            change: { $set: { mailEventId: mailEventOf(_id, round), mailDueAt, mailFlow } },
          })),
        );
    }
    // The job finds them in its next look, should it look before the commit.
    this.doorbell.ring(invitationsToMail);
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
}
