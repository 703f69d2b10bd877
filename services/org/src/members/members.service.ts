import { Injectable } from '@nestjs/common';
import {
  explainAccess,
  membershipChanged,
  Problem,
  type AccessExplained,
  type changeMemberGroups,
  type changeMemberRole,
  type changeMemberStatus,
  type checkAccess,
  type getSeats,
  type listMembers,
  type Member,
  type PersonPrincipal,
  type ResponseOf,
  type UserId,
} from '@parley/contracts';
import type { OrganisationScope, Transaction } from '@parley/platform/mongo';
import type { InputOf } from '@parley/platform/service';
import { Work } from '@parley/platform/work';
import { AuditLog, type Audited } from '../audit/index.ts';
import { GroupsRepository } from '../groups/index.ts';
import { checkWithinOwn, MembershipsRepository, RolesRepository, type MembershipRow } from '../rights/index.ts';
import { toMember } from './member.ts';
import { MemberList } from './member-list.ts';

type Change = Parameters<MembershipsRepository['change']>[2]['change'];
type Named = { readonly scope: OrganisationScope; readonly params: { readonly userId: UserId } };

/** Who is in an organisation, and what each of them may do. */
@Injectable()
export class MembersService {
  constructor(
    private readonly members: MemberList,
    private readonly memberships: MembershipsRepository,
    private readonly roles: RolesRepository,
    private readonly groups: GroupsRepository,
    private readonly audit: AuditLog,
    private readonly work: Work,
  ) {}

  list(input: InputOf<typeof listMembers>): Promise<ResponseOf<typeof listMembers>> {
    return this.members.list(input);
  }

  async seats({ scope }: InputOf<typeof getSeats>): Promise<ResponseOf<typeof getSeats>> {
    const { memberCount: used, seatsHeld, seatLimit: limit } = await this.memberships.organisation(scope);
    return { used, held: seatsHeld, limit };
  }

  changeRole({ scope, principal, params, body }: InputOf<typeof changeMemberRole>): Promise<Member> {
    return this.work.run(principal, async (tx) => {
      const row = await this.changeable({ scope, params }, principal, tx);
      checkWithinOwn(principal, (await this.roles.read(scope, body.role, tx)).permissions);
      if (row.version === body.version && row.role === body.role) return seen(row, principal);
      const audited = { act: 'member.role-changed', before: { role: row.role }, after: { role: body.role } } as const;
      return this.change(
        tx,
        { scope, row, version: body.version, change: { role: body.role } },
        { principal, ...audited },
      );
    });
  }

  changeStatus({ scope, principal, params, body }: InputOf<typeof changeMemberStatus>): Promise<Member> {
    const { version, status } = body;
    const reason = body.status === 'suspended' ? body.reason : null;
    return this.work.run(principal, async (tx) => {
      const row = await this.changeable({ scope, params }, principal, tx);
      if (row.userId === principal.userId)
        throw new Problem('org.not-oneself', { detail: 'Leave the organisation, or ask another admin.' });
      const act = status === 'suspended' ? 'member.suspended' : 'member.restored';
      return this.change(tx, { scope, row, version, change: { status, reason } }, { principal, act, reason });
    });
  }

  changeGroups({ scope, principal, params, body }: InputOf<typeof changeMemberGroups>): Promise<Member> {
    return this.work.run(principal, async (tx) => {
      const row = await this.find({ scope, params }, tx);
      if (row.version !== body.version) throw new Problem('platform.conflict', { current: seen(row, principal) });
      const changed = await this.groups.assign(scope, tx, { row, groupIds: [...new Set(body.groupIds)] });
      const { rightsVersion } = await this.memberships.organisation(scope, tx);
      await this.audit.write(scope, tx, {
        principal,
        act: 'member.groups-changed',
        target: targetOf(row),
        before: { groupIds: row.groupIds },
        after: { groupIds: changed.groupIds },
      });
      this.tell(tx, changed, rightsVersion);
      return seen(changed, principal);
    });
  }

  /** Decided by the very rules by which services decide. */
  async access({ scope, params, query }: InputOf<typeof checkAccess>): Promise<AccessExplained> {
    const { userId } = params;
    const row = await this.find({ scope, params });
    const { permissions } = await this.roles.read(scope, row.role);
    const things = { organisation: undefined, own: { ownerId: userId }, 'of-others': { ownerId: '' } };
    const holder = row.status === 'active' ? { userId, permissions } : null;
    const steps = explainAccess(holder, query.permission, things[query.thing]);
    return { isAllowed: steps.every((step) => step.allows), role: row.role, status: row.status, steps };
  }

  private async change(
    tx: Transaction,
    { scope, row, version, change }: { scope: OrganisationScope; row: MembershipRow; version: number; change: Change },
    audited: Omit<Audited, 'target'>,
  ): Promise<Member> {
    const { principal } = audited;
    const changed = row.version === version ? await this.memberships.change(scope, tx, { row, change }) : null;
    if (!changed) throw new Problem('platform.conflict', { current: seen(row, principal) });
    await this.audit.write(scope, tx, { ...audited, target: targetOf(row) });
    this.tell(tx, changed.row, changed.rightsVersion);
    return seen(changed.row, principal);
  }

  private tell(tx: Transaction, { orgId, userId, role, status }: MembershipRow, rightsVersion: number): void {
    tx.record(membershipChanged, { orgId, userId, role, status, rightsVersion });
  }

  /** Nobody changes somebody who may do more: `org.beyond-own-rights`. */
  private async changeable(named: Named, principal: PersonPrincipal, tx: Transaction): Promise<MembershipRow> {
    const row = await this.find(named, tx);
    checkWithinOwn(principal, (await this.roles.read(named.scope, row.role, tx)).permissions);
    return row;
  }

  private async find({ scope, params }: Named, tx?: Transaction): Promise<MembershipRow> {
    const row = await this.memberships.find(scope, params.userId, tx);
    if (!row) throw new Problem('org.member-not-found');
    return row;
  }
}

const seen = (row: MembershipRow, { organisation }: PersonPrincipal): Member =>
  toMember(row, { seesPersonal: organisation?.permissions.includes('member:read_pii') ?? false });

const targetOf = ({ userId, name }: MembershipRow) => ({ id: userId, name });
