import { Injectable } from '@nestjs/common';
import { queueInvitationMail } from '@parley/contracts';
import type { JobInput, JobRun, JobRunner } from '@parley/platform/jobs';
import { jobScope } from '@parley/platform/mongo';
import { Platform } from '@parley/platform/service';
import { giveWay } from '@parley/platform/give-way';
import { job, Work } from '@parley/platform/work';
import { MembershipsRepository } from '../rights/index.ts';
import type { InvitationRow } from './invitation.collection.ts';
import type { mailInvitation } from './invitation-job.ts';
import { InvitationsRepository } from './invitations.repository.ts';
import { mailEventOf } from './new-invitation.ts';

const mailing = jobScope('having invitations mailed');
const asking = { deadlineMs: 10_000, failMode: 'refuse' } as const;
type Input = JobInput<typeof mailInvitation>;

/**
 * Has auth mail an invitation. One event leads to one mail and one secret, however often auth is asked; auth returns its
 * hash.
 */
@Injectable()
export class InvitationMailer implements JobRunner<Input> {
  constructor(
    private readonly invitations: InvitationsRepository,
    private readonly memberships: MembershipsRepository,
    private readonly work: Work,
    private readonly platform: Platform,
  ) {}

  /** Leaves alone what has ended meanwhile; of one that was resent it mails the newest round. */
  async run({ orgId, invitationId }: Input, { signal }: Pick<JobRun, 'signal'>): Promise<void> {
    await giveWay(); // People go first.
    signal.throwIfAborted();
    const scope = mailing.in(orgId);
    const row = await this.invitations.find(scope, invitationId);
    if (row?.status !== 'pending' || row.email === null) return;
    const tokenHash = await this.queueMail(row, row.email);
    await this.invitations.within(scope).update({ _id: invitationId, round: row.round }, { $set: { tokenHash } });
  }

  async giveUp({ orgId, invitationId }: Input): Promise<void> {
    const scope = mailing.in(orgId);
    const row = await this.invitations.find(scope, invitationId);
    if (row?.mail !== 'waiting') return;
    const { round } = row;
    await this.work.run(job('gives up mailing an invitation'), (tx) =>
      this.invitations.noteMail(scope, tx, { invitationId, round, state: 'failed' }),
    );
  }

  private async queueMail(row: InvitationRow, to: string): Promise<string> {
    const { locale, inviterName: inviter, inviterId, orgId, _id: invitationId, round, message } = row;
    const { name: organisation } = await this.memberships.organisation(mailing.in(orgId));
    const invitation = { orgId, invitationId, round };
    const about = { locale, organisation, inviter, inviterId, endsAt: row.endsAt.toISOString(), message };
    const body = { eventId: mailEventOf(invitationId, round), invitation, to, ...about };
    return (await this.platform.peers.call(queueInvitationMail, { body }, asking)).tokenHash;
  }
}
