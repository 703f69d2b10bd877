import { Controller } from '@nestjs/common';
import { Ctx, EventPattern, Payload } from '@nestjs/microservices';
import { invitationMailRequested, mailEnded } from '@parley/contracts';
import type { EventContext } from '@parley/platform/event-bus';
import { jobScope } from '@parley/platform/mongo';
import type { DataOf, EventEnvelope } from '@parley/protocol';
import { MembershipsRepository, flowOf } from '../rights/index.ts';
import { mailInvitation } from './invitation-job.ts';
import { InvitationsRepository } from './invitations.repository.ts';

const noting = jobScope('what became of the mail of an invitation');
const mailing = jobScope('having invitations mailed');

type Requested = DataOf<typeof invitationMailRequested>;

@Controller()
export class InvitationsConsumer {
  constructor(
    private readonly invitations: InvitationsRepository,
    private readonly memberships: MembershipsRepository,
  ) {}

  /** Has them mailed by turns: the many of one organisation are before nobody else's. What was resent or has ended is left alone. */
  @EventPattern<string>(invitationMailRequested.type, { consumer: 'mail-invitation', kind: 'batch' })
  async mail(@Payload() events: readonly EventEnvelope<Requested>[], @Ctx() { tx }: EventContext): Promise<void> {
    for (const [orgId, asked] of Map.groupBy(events, ({ data }) => data.orgId)) {
      const scope = mailing.in(orgId);
      const flow = flowOf(await this.memberships.organisation(scope, tx));
      const rounds = new Map(asked.map(({ data }) => [data.invitationId, data.round]));
      const open = { _id: { $in: [...rounds.keys()] }, status: 'pending' } as const;
      const rows = await this.invitations.within(scope, tx).find(open, { fields: ['inviterId', 'round'] });
      for (const { _id: invitationId, inviterId, round } of rows)
        if (rounds.get(invitationId) === round) tx.queue(mailInvitation, { invitationId, orgId, inviterId, flow });
    }
  }

  /** Whether it arrived, for whoever invited; an earlier mail of the same invitation says nothing any more. */
  @EventPattern<string>(mailEnded.type, { consumer: 'note-mail-of-invitation' })
  async noteMail(
    @Payload() { data: { invitation, state } }: EventEnvelope<DataOf<typeof mailEnded>>,
    @Ctx() { tx }: EventContext,
  ): Promise<void> {
    if (!invitation) return;
    const { orgId, invitationId, round } = invitation;
    await this.invitations.noteMail(noting.in(orgId), tx, { invitationId, round, state });
  }
}
