import { Injectable } from '@nestjs/common';
import {
  invitationChanged,
  membershipAdded,
  type acceptInvitation,
  type acceptMyInvitation,
  type checkInvitation,
  type declineInvitation,
  type listMyInvitations,
  type Organisation,
  type PersonPrincipal,
} from '@parley/contracts';
import { Clock } from '@parley/platform/clock';
import { isDuplicateKey, jobScope, type OrganisationScope, type Transaction } from '@parley/platform/mongo';
import { Platform, type InputOf } from '@parley/platform/service';
import { job, Work } from '@parley/platform/work';
import { Problem, type ResponseOf } from '@parley/protocol';
import { GroupsRepository } from '../groups/index.ts';
import { OrganisationsService } from '../organisations/index.ts';
import { MembershipsRepository, People, type Person } from '../rights/index.ts';
import type { InvitationRow } from './invitation.collection.ts';
import { isOfDomain, isOpen, provesAddress } from './invitation.ts';
import { InvitationViews } from './invitation-views.ts';
import { InvitationsRepository } from './invitations.repository.ts';

const joining = jobScope('whoever has the secret of an invitation, or its proven address');
type Joining = { readonly principal: PersonPrincipal; readonly person: Person & { readonly isProven: boolean } };

/** How invitations become memberships. */
@Injectable()
export class JoiningService {
  // oxlint-disable-next-line max-params -- nine parts, and the failpoints of the kill spec
  constructor(
    private readonly invitations: InvitationsRepository,
    private readonly views: InvitationViews,
    private readonly memberships: MembershipsRepository,
    private readonly groups: GroupsRepository,
    private readonly organisations: OrganisationsService,
    private readonly people: People,
    private readonly work: Work,
    private readonly clock: Clock,
    private readonly platform: Platform,
  ) {}

  async accept({ principal, body }: InputOf<typeof acceptInvitation>): Promise<Organisation> {
    const row = await this.invitations.findByToken(joining, body.token);
    if (!row) throw new Problem('org.invitation-not-found');
    const person = await this.people.find(principal.userId);
    if (row.kind === 'mail' && row.email !== person.email) throw new Problem('org.invitation-for-another');
    if (row.domain !== null && !isOfDomain(person.email ?? '', row.domain))
      throw new Problem('org.invitation-for-another', { detail: `It is for addresses at ${row.domain}.` });
    if (row.domain !== null && !person.isProven) throw new Problem('org.address-not-proven');
    return this.join(row, { principal, person });
  }

  async acceptMine({ principal, params }: InputOf<typeof acceptMyInvitation>): Promise<Organisation> {
    const row = await this.invitations.findById(joining, params.invitationId);
    const person = await this.people.find(principal.userId);
    // Whether there is one is told to the proven address only.
    if (!row || row.kind !== 'mail' || row.email !== person.email || !person.isProven)
      throw new Problem('org.invitation-not-found');
    return this.join(row, { principal, person });
  }

  async decline({ body }: InputOf<typeof declineInvitation>): Promise<void> {
    const row = await this.invitations.findByToken(joining, body.token);
    if (!row || row.kind !== 'mail') throw new Problem('org.invitation-not-found');
    const scope = joining.in(row.orgId);
    await this.work.run(job('declines an invitation'), async (tx) => {
      const declined = await this.invitations.change(scope, tx, {
        row,
        changes: { status: 'declined', endedAt: this.clock.now() },
      });
      if (!declined) return;
      await this.memberships.hold(scope, tx, -1);
      this.tell(tx, row, { change: 'declined', userId: null });
    });
  }

  async listMine({ principal }: InputOf<typeof listMyInvitations>): Promise<ResponseOf<typeof listMyInvitations>> {
    const { email, isProven } = await this.people.find(principal.userId);
    if (!isProven || email === null) return { items: [] };
    const rows = await this.invitations.listOpenFor(joining, email, this.clock.now());
    const items = rows.map(async (row) => ({ id: row._id, ...(await this.views.offer(row)) }));
    return { items: await Promise.all(items) };
  }

  async check({ body }: InputOf<typeof checkInvitation>): Promise<ResponseOf<typeof checkInvitation>> {
    const row = await this.invitations.findByToken(joining, body.token);
    if (!row || !isOpen(row, this.clock.now())) throw new Problem('org.invitation-not-found');
    const { name } = await this.memberships.organisation(joining.in(row.orgId));
    const endsAt = row.endsAt.toISOString();
    const proof = { provesAddress: provesAddress(row) };
    return { email: row.email, maxUses: row.places, endsAt, orgId: row.orgId, organisation: name, ...proof };
  }

  /** Claim, seat, membership and audit are one transaction. Who is in already gets the organisation and takes no place. */
  private async join({ _id, orgId, kind }: InvitationRow, { principal, person }: Joining): Promise<Organisation> {
    const scope = joining.in(orgId);
    try {
      await this.work.run(principal, async (tx) => {
        if (await this.memberships.find(scope, principal.userId, tx)) return;
        // Changes the organisation first: of many people who join at once, the others then try again before they have read more.
        if (kind === 'mail') await this.memberships.hold(scope, tx, -1);
        const { suspension } = await this.memberships.organisation(scope, tx);
        // Why is told to its members only.
        if (suspension) throw new Problem('org.organisation-suspended');
        const row = await this.invitations.find(scope, _id, tx);
        if (!row) throw new Problem('org.invitation-not-found');
        if (!isOpen(row, this.clock.now())) throw new Problem('org.invitation-ended');
        if (!(await this.views.mayStillInvite(row))) throw new Problem('org.inviter-lost-right');
        await this.take(scope, tx, row);
        await this.platform.failpoint('place-taken-not-entered');
        await this.enter(scope, tx, { row, principal, person });
      });
      await this.platform.failpoint('joined-not-answered');
    } catch (error) {
      // Two tabs of one person at once: the other one has made it.
      if (!isDuplicateKey(error, '_id')) throw error;
    }
    return this.organisations.readMine(joining.of(principal.userId), orgId);
  }

  /** Takes one of its places. */
  private async take(scope: OrganisationScope, tx: Transaction, row: InvitationRow): Promise<void> {
    const taken = row.taken + 1;
    const isLast = taken === row.places;
    const changes = { taken, ...(isLast && { status: 'accepted' as const, endedAt: this.clock.now() }) };
    if (!(await this.invitations.change(scope, tx, { row, changes }))) throw new Problem('platform.conflict');
  }

  private async enter(
    scope: OrganisationScope,
    tx: Transaction,
    { row, principal, person }: Joining & { readonly row: InvitationRow },
  ): Promise<void> {
    const { role, kind } = row;
    const { userId } = principal;
    const groupIds = await this.groups.enterKnown(scope, tx, row.groupIds);
    const source = kind === 'mail' ? 'invitation' : 'link';
    const now = this.clock.now();
    const { rightsVersion } = await this.memberships.add(scope, tx, { userId, role, groupIds, source, person, now });
    if (kind === 'link') await this.endMailed(scope, tx, person);
    tx.record(membershipAdded, { orgId: scope.orgId, userId, role, rightsVersion, joinedBy: source });
    this.tell(tx, row, { change: 'accepted', userId, provesAddress: provesAddress(row) });
  }

  /** Who came in by a link needs the mail no more that was sent to the same address: the seat that it held is free. */
  private async endMailed(scope: OrganisationScope, tx: Transaction, { email }: Person): Promise<void> {
    const row = email === null ? null : await this.invitations.findMailed(scope, tx, email);
    if (!row) return;
    const changes = { status: 'accepted', taken: 1, endedAt: this.clock.now() } as const;
    if (!(await this.invitations.change(scope, tx, { row, changes }))) throw new Problem('platform.conflict');
    await this.memberships.hold(scope, tx, -1);
    // Nobody's address is verified by it: who came in need not be who reads that mail.
    this.tell(tx, row, { change: 'accepted', userId: null });
  }

  private tell(
    tx: Transaction,
    { orgId, _id: invitationId, kind }: InvitationRow,
    about: {
      readonly change: 'accepted' | 'declined';
      readonly userId: PersonPrincipal['userId'] | null;
      readonly provesAddress?: boolean;
    },
  ): void {
    tx.record(invitationChanged, { orgId, invitationId, kind, ...about });
  }
}
