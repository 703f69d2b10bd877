import { Injectable } from '@nestjs/common';
import { makeInvitationLinks, type ShownLink } from '@parley/contracts';
import type { OrganisationScope } from '@parley/platform/mongo';
import { Platform } from '@parley/platform/service';
import { MembershipsRepository } from '../rights/index.ts';
import type { InvitationRow } from './invitation.collection.ts';
import { InvitationsRepository } from './invitations.repository.ts';
import { mailEventOf } from './new-invitation.ts';

const asking = { deadlineMs: 5_000, failMode: { otherwise: { links: [] } } };

/** The links of invitations whose mails go nowhere, for the person who has just made them. */
@Injectable()
export class InvitationLinks {
  constructor(
    private readonly invitations: InvitationsRepository,
    private readonly memberships: MembershipsRepository,
    private readonly platform: Platform,
  ) {}

  /**
   * Returns the links of invitations that one call has made or renewed, at most `mostLinksAtOnce`: none where there is a
   * mail server. First they are marked as shown, so that they verify no address. Call after the commit. Never rejects: a
   * link that can't be shown now is kept in the mail log, and sending again shows another one.
   */
  async show(scope: OrganisationScope, rows: readonly InvitationRow[]): Promise<ShownLink[]> {
    if (rows.length === 0) return [];
    try {
      return await this.make(scope, rows);
    } catch (error) {
      this.platform.logger.warn({ orgId: scope.orgId, err: error }, 'links of invitations could not be shown');
      return [];
    }
  }

  private async make(scope: OrganisationScope, rows: readonly InvitationRow[]): Promise<ShownLink[]> {
    const { inviterName: inviter, inviterId, locale, message, endsAt } = rows[0]!;
    const { name: organisation } = await this.memberships.organisation(scope);
    const people = rows.flatMap(({ _id: invitationId, round, email }) =>
      email === null ? [] : [{ eventId: mailEventOf(invitationId, round), invitationId, round, to: email }],
    );
    const about = { orgId: scope.orgId, organisation, inviter, inviterId, locale, message };
    const body = { ...about, endsAt: endsAt.toISOString(), people };
    const { links } = await this.platform.peers.call(makeInvitationLinks, { body }, asking);
    const rounds = new Map(rows.map(({ _id, round }) => [_id, round]));
    await this.invitations.within(scope).updateEach(
      links.map(({ invitationId: _id, tokenHash }) => {
        const round = rounds.get(_id) ?? 0;
        return { filter: { _id, round, status: 'pending' }, change: { $set: { tokenHash, shownRound: round } } };
      }),
    );
    return links.map(({ invitationId, token }) => ({ invitationId, token }));
  }
}
