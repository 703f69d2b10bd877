import { Injectable } from '@nestjs/common';
import {
  membershipChanged,
  membershipRemoved,
  type leaveOrganisation,
  type MemberAct,
  type removeMember,
  type transferOwnership,
} from '@parley/contracts';
import { jobScope, type OrganisationScope, type Transaction } from '@parley/platform/mongo';
import type { InputOf } from '@parley/platform/service';
import { Work } from '@parley/platform/work';
import { Problem } from '@parley/protocol';
import { GroupsRepository } from '../groups/index.ts';
import { checkWithinOwn, MembershipsRepository, RolesRepository, type MembershipRow } from '../rights/index.ts';

const leaving = jobScope('somebody leaves an organisation');

/** How memberships end, and how an organisation changes hands. */
@Injectable()
export class LeavingService {
  constructor(
    private readonly memberships: MembershipsRepository,
    private readonly roles: RolesRepository,
    private readonly groups: GroupsRepository,
    private readonly work: Work,
  ) {}

  async remove({ scope, principal, params, query }: InputOf<typeof removeMember>): Promise<void> {
    if (params.userId === principal.userId)
      throw new Problem('org.not-oneself', { detail: 'Leave the organisation on the page of your organisations.' });
    await this.work.run(principal, async (tx) => {
      const row = await this.memberships.find(scope, params.userId, tx);
      if (!row) throw new Problem('org.member-not-found');
      checkWithinOwn(principal, (await this.roles.read(scope, row.role, tx)).permissions);
      await this.end(scope, tx, { row, how: 'removed', reason: query.reason });
    });
  }

  /** Whoever is out already has left. */
  async leave({ principal, params }: InputOf<typeof leaveOrganisation>): Promise<void> {
    const scope = leaving.in(params.orgId);
    await this.work.run(principal, async (tx) => {
      const row = await this.memberships.find(scope, principal.userId, tx);
      if (!row) return;
      await this.end(scope, tx, { row, how: 'left', reason: null });
    });
  }

  async transfer({ scope, principal, body }: InputOf<typeof transferOwnership>): Promise<void> {
    if (body.userId === principal.userId) throw new Problem('org.not-oneself');
    await this.work.run(principal, async (tx) => {
      const mine = await this.memberships.find(scope, principal.userId, tx);
      const theirs = await this.memberships.find(scope, body.userId, tx);
      if (!mine || !theirs) throw new Problem('org.member-not-found');
      if (theirs.status !== 'active')
        throw new Problem('platform.conflict', { detail: 'A suspended person cannot become the owner.' });
      await this.become(scope, tx, { row: theirs, role: 'owner', act: { did: 'ownership-transferred', reason: null } });
      await this.become(scope, tx, { row: mine, role: 'admin' });
    });
  }

  private async become(
    scope: OrganisationScope,
    tx: Transaction,
    { row, role, act }: { readonly row: MembershipRow; readonly role: 'owner' | 'admin'; readonly act?: MemberAct },
  ): Promise<void> {
    const changed = await this.memberships.change(scope, tx, { row, change: { role } });
    if (!changed) throw new Problem('platform.conflict');
    const { orgId, userId, status } = changed.row;
    const { rightsVersion } = changed;
    tx.record(membershipChanged, { orgId, userId, role, status, rightsVersion, ...(act && { act }) });
  }

  private async end(
    scope: OrganisationScope,
    tx: Transaction,
    ending: { readonly row: MembershipRow; readonly how: 'left' | 'removed'; readonly reason: string | null },
  ): Promise<void> {
    const { row, how, reason } = ending;
    await this.groups.assign(scope, tx, { row, groupIds: [] });
    const rightsVersion = await this.memberships.remove(scope, tx, row);
    const { orgId, userId, name, role } = row;
    tx.record(membershipRemoved, { orgId, userId, how, rightsVersion, was: { name, role, reason } });
  }
}
