import { Injectable } from '@nestjs/common';
import {
  explainAccess,
  membershipChanged,
  type AccessExplained,
  type changeMemberGroups,
  type changeMemberRole,
  type changeMemberStatus,
  type checkAccess,
  type getSeats,
  type Member,
} from '@parley/contracts';
import type { OrganisationScope, Transaction } from '@parley/platform/mongo';
import type { InputOf } from '@parley/platform/service';
import { Work } from '@parley/platform/work';
import { Problem, type ResponseOf, type UserId } from '@parley/protocol';
import { GroupsRepository } from '../groups/index.ts';
import { MembershipsRepository, RolesRepository, type MembershipRow } from '../rights/index.ts';
import { MemberActs } from './member-acts.ts';
import { seenBy } from './member.ts';

type Named = { readonly scope: OrganisationScope; readonly params: { readonly userId: UserId } };

/** Who is in an organisation, and what each of them may do. */
@Injectable()
export class MembersService {
  constructor(
    private readonly acts: MemberActs,
    private readonly memberships: MembershipsRepository,
    private readonly roles: RolesRepository,
    private readonly groups: GroupsRepository,
    private readonly work: Work,
  ) {}

  async seats({ scope }: InputOf<typeof getSeats>): Promise<ResponseOf<typeof getSeats>> {
    const { memberCount: used, seatsHeld, seatLimit: limit } = await this.memberships.organisation(scope);
    return { used, held: seatsHeld, limit };
  }

  changeRole({ scope, principal, params, body }: InputOf<typeof changeMemberRole>): Promise<Member> {
    return this.work.run(principal, async (tx) => {
      const by = { scope, principal, tx, reason: null };
      return seenBy(principal, await this.acts.giveRole(by, { ...params, ...body }));
    });
  }

  changeStatus({ scope, principal, params, body }: InputOf<typeof changeMemberStatus>): Promise<Member> {
    return this.work.run(principal, async (tx) => {
      const by = { scope, principal, tx, reason: body.status === 'suspended' ? body.reason : null };
      return seenBy(principal, await this.acts.setStatus(by, { ...params, ...body }));
    });
  }

  changeGroups({ scope, principal, params, body }: InputOf<typeof changeMemberGroups>): Promise<Member> {
    return this.work.run(principal, async (tx) => {
      const row = await this.row({ scope, params }, tx);
      if (row.version !== body.version) throw new Problem('platform.conflict', { current: seenBy(principal, row) });
      const changed = await this.groups.assign(scope, tx, { row, groupIds: [...new Set(body.groupIds)] });
      const { rightsVersion } = await this.memberships.organisation(scope, tx);
      const { orgId, userId, role, status } = changed;
      const [before, after] = [{ groupIds: row.groupIds }, { groupIds: changed.groupIds }];
      const act = { did: 'groups-changed', before, after, reason: null } as const;
      tx.record(membershipChanged, { orgId, userId, role, status, rightsVersion, act });
      return seenBy(principal, changed);
    });
  }

  /** Decided by the very rules by which services decide. */
  async access({ scope, params, query }: InputOf<typeof checkAccess>): Promise<AccessExplained> {
    const { userId } = params;
    const row = await this.row({ scope, params });
    const { permissions } = await this.roles.read(scope, row.role);
    const things = { organisation: undefined, own: { ownerId: userId }, 'of-others': { ownerId: '' } };
    const holder = row.status === 'active' ? { userId, permissions } : null;
    const steps = explainAccess(holder, query.permission, things[query.thing]);
    return { isAllowed: steps.every((step) => step.allows), role: row.role, status: row.status, steps };
  }

  private async row({ scope, params }: Named, tx?: Transaction): Promise<MembershipRow> {
    const row = await this.memberships.find(scope, params.userId, tx);
    if (!row) throw new Problem('org.member-not-found');
    return row;
  }
}
