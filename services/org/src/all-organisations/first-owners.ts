import { Injectable } from '@nestjs/common';
import {
  invitationChanged,
  invitationMailRequested,
  type inviteFirstOwner,
  type PersonPrincipal,
} from '@parley/contracts';
import { Clock } from '@parley/platform/clock';
import type { OrganisationScope, Transaction } from '@parley/platform/mongo';
import { Problem, type BodyOf } from '@parley/protocol';
import { InvitationsRepository, newInvitation, type InvitationRow } from '../invitations/index.ts';
import { MembershipsRepository } from '../rights/index.ts';

const days = 14;
type Wanted = { readonly principal: PersonPrincipal; readonly owner: BodyOf<typeof inviteFirstOwner> };

/** How an organisation that a platform admin has made gets its first owner. */
@Injectable()
export class FirstOwners {
  constructor(
    private readonly memberships: MembershipsRepository,
    private readonly invitations: InvitationsRepository,
    private readonly clock: Clock,
  ) {}

  /**
   * Ends the open one, if there is any, and mails another one, which is returned. The same id again changes nothing and
   * returns none.
   */
  async invite(
    scope: OrganisationScope,
    tx: Transaction,
    { principal, owner }: Wanted,
  ): Promise<readonly InvitationRow[]> {
    const { orgId } = scope;
    const { invitationId: _id, email } = owner;
    if (await this.invitations.find(scope, _id, tx)) return [];
    const { locale, ownerCount } = await this.memberships.organisation(scope, tx);
    if (ownerCount > 0) throw new Problem('platform.conflict', { detail: 'Somebody has accepted to be its owner.' });
    await this.endOpen(scope, tx);
    const plain = { label: null, groupIds: [], message: null, domain: null, places: 1 };
    const row = newInvitation(orgId, principal, {
      ...plain,
      _id,
      kind: 'mail',
      email,
      role: 'owner',
      locale,
      days,
      now: this.clock.now(),
      isByPlatform: true,
    });
    await this.memberships.hold(scope, tx, 1);
    await this.invitations.insert(scope, tx, [row]);
    const act = { did: 'owner-invited', role: row.role } as const;
    tx.record(invitationMailRequested, { orgId, invitationId: _id, round: row.round, act });
    return [row];
  }

  private async endOpen(scope: OrganisationScope, tx: Transaction): Promise<void> {
    const row = await this.invitations.findFirstOwner(scope, null, tx);
    if (!row) return;
    const changes = { status: 'revoked', endedAt: this.clock.now() } as const;
    if (!(await this.invitations.change(scope, tx, { row, changes }))) throw new Problem('platform.conflict');
    await this.memberships.hold(scope, tx, -1);
    const { orgId, _id: invitationId, kind } = row;
    tx.record(invitationChanged, { orgId, invitationId, kind, change: 'revoked', userId: null });
  }
}
