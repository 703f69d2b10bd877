import { Injectable } from '@nestjs/common';
import {
  invitationChanged,
  type checkAddresses,
  type createInvitationLink,
  type invitePeople,
  type listInvitations,
  type PersonPrincipal,
  type replaceInvitationLink,
  type resendInvitation,
  type revokeInvitation,
} from '@parley/contracts';
import { Clock } from '@parley/platform/clock';
import { hashSecret, randomSecret } from '@parley/platform/crypto';
import { type OrganisationScope, type Transaction } from '@parley/platform/mongo';
import type { InputOf } from '@parley/platform/service';
import { Work } from '@parley/platform/work';
import { Problem, type ResponseOf } from '@parley/protocol';
import { GroupsRepository } from '../groups/index.ts';
import { checkWithinOwn, MembershipsRepository, RolesRepository } from '../rights/index.ts';
import type { InvitationRow } from './invitation.collection.ts';
import { EmailAllowance } from './email-allowance.ts';
import { endOf, isOpen, toInvitation, verdicts } from './invitation.ts';
import { InvitationLinks } from './invitation-links.ts';
import { InvitationsRepository } from './invitations.repository.ts';
import { newInvitation, requestMails, type Wanted } from './new-invitation.ts';
import { PeopleInviter } from './people-inviter.ts';

/** Who invites, and what becomes of invitations before somebody joins. */
@Injectable()
export class InvitingService {
  constructor(
    private readonly invitations: InvitationsRepository,
    private readonly memberships: MembershipsRepository,
    private readonly roles: RolesRepository,
    private readonly groups: GroupsRepository,
    private readonly work: Work,
    private readonly clock: Clock,
    private readonly links: InvitationLinks,
    private readonly people: PeopleInviter,
    private readonly emails: EmailAllowance,
  ) {}

  async list({ scope, query }: InputOf<typeof listInvitations>): Promise<ResponseOf<typeof listInvitations>> {
    return this.invitations
      .within(scope)
      .page(query, { by: { _id: -1 }, where: { status: 'pending' }, to: toInvitation });
  }

  async check({ scope, body }: InputOf<typeof checkAddresses>): Promise<ResponseOf<typeof checkAddresses>> {
    const parsed = verdicts(body.lines, { members: new Set(), invited: new Set() });
    const known = await this.invitations.known(
      scope,
      parsed.filter(({ verdict }) => verdict === 'fine').map(({ address }) => address),
    );
    const { memberCount, seatsHeld, seatLimit } = await this.memberships.organisation(scope);
    const seatsLeft = seatLimit === null ? null : Math.max(0, seatLimit - memberCount - seatsHeld);
    return { lines: verdicts(body.lines, known), seatsLeft };
  }

  async invite(input: InputOf<typeof invitePeople>): Promise<ResponseOf<typeof invitePeople>> {
    await this.checkGiven(input.scope, input.principal, input.body);
    return this.people.invite(input);
  }

  async makeLink({
    scope,
    principal,
    body,
  }: InputOf<typeof createInvitationLink>): Promise<ResponseOf<typeof createInvitationLink>> {
    await this.checkGiven(scope, principal, body);
    const token = randomSecret();
    const { id, ...wanted } = body;
    const link = { ...wanted, _id: id, kind: 'link', email: null, message: null, locale: 'en' } as const;
    const row = { ...this.fresh(scope, principal, link), tokenHash: hashSecret(token) };
    await this.work.run(principal, async (tx) => {
      const isNew = await this.invitations.insertOnce(scope, tx, row);
      // Its secret was shown and cannot be again.
      if (!isNew) throw new Problem('platform.conflict', { detail: 'This link is there already. Replace it.' });
      this.tell(tx, row, 'created');
    });
    return { invitation: toInvitation(row), token };
  }

  async replaceLink({
    scope,
    principal,
    params,
    body,
  }: InputOf<typeof replaceInvitationLink>): Promise<ResponseOf<typeof replaceInvitationLink>> {
    const token = randomSecret();
    return this.work.run(principal, async (tx) => {
      const row = await this.open(scope, tx, params.invitationId);
      if (row.kind !== 'link') throw new Problem('org.invitation-not-found');
      await this.checkGiven(scope, principal, row);
      const changes = { tokenHash: hashSecret(token), round: row.round + 1, inviterId: principal.userId };
      const changed = await this.changed(scope, tx, {
        row,
        version: body.version,
        changes: { ...changes, inviterName: principal.name },
      });
      this.tell(tx, row, 'replaced');
      return { invitation: toInvitation(changed), token };
    });
  }

  /** The old link is dead at once, not only when the new mail goes out. */
  async resend({
    scope,
    principal,
    params,
    body,
    request,
  }: InputOf<typeof resendInvitation>): Promise<ResponseOf<typeof resendInvitation>> {
    const sender = await this.emails.senderOf(principal, request);
    const settle = await this.emails.take(scope, { sender, count: 1 });
    const renewing = this.work.run(principal, async (tx) => {
      const row = await this.open(scope, tx, params.invitationId);
      if (row.kind !== 'mail') throw new Problem('org.invitation-not-found');
      await this.checkGiven(scope, principal, row);
      const changes = {
        tokenHash: hashSecret(randomSecret()),
        round: row.round + 1,
        mail: 'waiting' as const,
        openedAt: null,
        endsAt: endOf(this.clock.now(), row.days),
        inviterId: principal.userId,
        inviterName: principal.name,
      };
      const changed = await this.changed(scope, tx, { row, version: body.version, changes });
      requestMails(tx, [changed], 'resent');
      return changed;
    });
    const renewed = await renewing.catch(async (error: unknown) => {
      await settle(0);
      throw error;
    });
    const [link = null] = await this.links.show(scope, [renewed]);
    return { ...toInvitation(renewed), link };
  }

  async revoke({ scope, principal, params }: InputOf<typeof revokeInvitation>): Promise<void> {
    await this.work.run(principal, async (tx) => {
      const row = await this.invitations.find(scope, params.invitationId, tx);
      if (!row) throw new Problem('org.invitation-not-found');
      if (row.status !== 'pending') return;
      const changes = { status: 'revoked', endedAt: this.clock.now() } as const;
      await this.changed(scope, tx, { row, version: row.version, changes });
      if (row.kind === 'mail') await this.memberships.hold(scope, tx, -1);
      this.tell(tx, row, 'revoked');
    });
  }

  /** Nobody invites beyond the own rights, and only into groups that are there. */
  private async checkGiven(
    scope: OrganisationScope,
    principal: PersonPrincipal,
    { role, groupIds }: Pick<InvitationRow, 'role' | 'groupIds'>,
  ): Promise<void> {
    checkWithinOwn(principal, (await this.roles.read(scope, role)).permissions);
    await this.groups.checkKnown(scope, groupIds);
  }

  private fresh(scope: OrganisationScope, principal: PersonPrincipal, wanted: Wanted): InvitationRow {
    return newInvitation(scope.orgId, principal, { ...wanted, now: this.clock.now(), isByPlatform: false });
  }

  private async open(scope: OrganisationScope, tx: Transaction, id: InvitationRow['_id']): Promise<InvitationRow> {
    const row = await this.invitations.find(scope, id, tx);
    if (!row) throw new Problem('org.invitation-not-found');
    if (!isOpen(row, this.clock.now())) throw new Problem('org.invitation-ended');
    return row;
  }

  private async changed(
    scope: OrganisationScope,
    tx: Transaction,
    { row, version, changes }: { row: InvitationRow; version: number; changes: Partial<InvitationRow> },
  ): Promise<InvitationRow> {
    const changed = row.version === version ? await this.invitations.change(scope, tx, { row, changes }) : null;
    if (!changed) throw new Problem('platform.conflict', { current: toInvitation(row) });
    return changed;
  }

  private tell(tx: Transaction, row: InvitationRow, change: 'created' | 'replaced' | 'revoked'): void {
    const { orgId, _id: invitationId, kind, role, places: maxUses, domain } = row;
    const act = { role, maxUses, domain };
    tx.record(invitationChanged, { orgId, invitationId, kind, change, userId: null, act });
  }
}
