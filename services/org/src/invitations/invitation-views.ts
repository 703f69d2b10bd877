import { Injectable } from '@nestjs/common';
import {
  invitationChanged,
  isWithin,
  type InvitationView,
  type PersonPrincipal,
  type viewInvitation,
  type viewMyInvitation,
} from '@parley/contracts';
import { Clock } from '@parley/platform/clock';
import { jobScope } from '@parley/platform/mongo';
import type { InputOf } from '@parley/platform/service';
import { job, Work } from '@parley/platform/work';
import { Problem } from '@parley/protocol';
import { GroupsRepository } from '../groups/index.ts';
import { MembershipsRepository, People, RolesRepository } from '../rights/index.ts';
import type { InvitationRow } from './invitation.collection.ts';
import { isOpen, isShown } from './invitation.ts';
import { InvitationsRepository } from './invitations.repository.ts';

const looking = jobScope('whoever has the secret of an invitation looks at it');

/** What an invitation is to whoever holds its secret. */
@Injectable()
export class InvitationViews {
  constructor(
    private readonly invitations: InvitationsRepository,
    private readonly memberships: MembershipsRepository,
    private readonly roles: RolesRepository,
    private readonly groups: GroupsRepository,
    private readonly people: People,
    private readonly work: Work,
    private readonly clock: Clock,
  ) {}

  async view({ body }: InputOf<typeof viewInvitation>): Promise<InvitationView> {
    return this.viewOf(await this.read(body.token));
  }

  async viewMine({ principal, body }: InputOf<typeof viewMyInvitation>): Promise<InvitationView> {
    const row = await this.read(body.token);
    const { orgId } = row;
    if (await this.memberships.find(looking.in(orgId), principal.userId)) {
      const { name } = await this.memberships.organisation(looking.in(orgId));
      return { state: 'joined', organisation: name, orgId };
    }
    if (row.kind === 'mail' && !(await this.isFor(row, principal))) return { state: 'other-account' };
    return this.viewOf(row);
  }

  /** What it offers, with the names that the organisation uses now. */
  async offer(row: InvitationRow) {
    const scope = looking.in(row.orgId);
    const { name: organisation } = await this.memberships.organisation(scope);
    const { name: roleName } = await this.roles.read(scope, row.role);
    const { kind, role, message, inviterName: inviter } = row;
    const groups = await this.groups.names(scope, row.groupIds);
    const [createdAt, endsAt] = [row.createdAt.toISOString(), row.endsAt.toISOString()];
    return { kind, organisation, inviter, role, roleName, groups, message, createdAt, endsAt };
  }

  /**
   * The inviter is still in, may still invite so, and still has every right that the role gives. A platform admin
   * invites the first owner only.
   */
  async mayStillInvite({ orgId, inviterId, kind, role, isByPlatform }: InvitationRow): Promise<boolean> {
    const scope = looking.in(orgId);
    if (isByPlatform) return (await this.memberships.organisation(scope)).ownerCount === 0;
    const inviter = await this.memberships.find(scope, inviterId);
    if (inviter?.status !== 'active') return false;
    const { permissions: own } = await this.roles.read(scope, inviter.role);
    const given = await this.roles.read(scope, role).catch(() => null);
    const right = kind === 'mail' ? 'member:invite' : 'invite_link:manage';
    return given !== null && own.includes(right) && isWithin(given.permissions, own);
  }

  private async read(token: string): Promise<InvitationRow> {
    const row = await this.invitations.findByToken(looking, token);
    if (!row) throw new Problem('org.invitation-not-found');
    return row;
  }

  private async isFor({ email }: InvitationRow, { userId }: PersonPrincipal): Promise<boolean> {
    return (await this.people.find(userId)).email === email;
  }

  private async viewOf(row: InvitationRow): Promise<InvitationView> {
    if (!isOpen(row, this.clock.now())) return endOf(row);
    const organisation = await this.memberships.organisation(looking.in(row.orgId));
    const { name, memberCount, seatsHeld, seatLimit } = organisation;
    if (organisation.suspension) return { state: 'suspended', organisation: name };
    if (!(await this.mayStillInvite(row))) return { state: 'inviter-lost-right', organisation: name };
    // A mail holds its own seat.
    if (seatLimit !== null && row.kind === 'link' && memberCount + seatsHeld >= seatLimit)
      return { state: 'seats-full', organisation: name, seats: seatLimit, endsAt: row.endsAt.toISOString() };
    await this.noteOpened(row);
    const { email, domain } = row;
    // Who reads the mail learns it; the inviter, who has seen the link too, doesn't.
    const hasAccount = email === null || isShown(row) ? null : await this.people.isKnown(email);
    return { state: 'open', ...(await this.offer(row)), email, hasAccount, domain };
  }

  /** The first time only; somebody else who changes it at the same moment wins. */
  private async noteOpened(row: InvitationRow): Promise<void> {
    if (row.openedAt !== null || row.kind !== 'mail') return;
    const { orgId, _id: invitationId, kind } = row;
    await this.work.run(job('an invitation is opened'), async (tx) => {
      const changes = { openedAt: this.clock.now() };
      if (await this.invitations.change(looking.in(orgId), tx, { row, changes }))
        tx.record(invitationChanged, { orgId, invitationId, kind, change: 'opened', userId: null });
    });
  }
}

function endOf({ status, endedAt, endsAt }: InvitationRow): InvitationView {
  const at = (endedAt ?? endsAt).toISOString();
  if (status === 'revoked') return { state: 'revoked', at };
  return status === 'accepted' || status === 'declined' ? { state: 'used', at } : { state: 'expired', at };
}
