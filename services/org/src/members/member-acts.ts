import { Injectable } from '@nestjs/common';
import {
  membershipChanged,
  type AccessEndId,
  type MemberAct,
  type PersonPrincipal,
  type RoleKey,
} from '@parley/contracts';
import { Clock } from '@parley/platform/clock';
import type { OrganisationScope, Transaction } from '@parley/platform/mongo';
import { Problem, type UserId } from '@parley/protocol';
import { checkWithinOwn, MembershipsRepository, RolesRepository, type MembershipRow } from '../rights/index.ts';
import { seenBy } from './member.ts';

/** Who does it, and why. */
export type ActBy = {
  readonly scope: OrganisationScope;
  readonly principal: PersonPrincipal;
  readonly tx: Transaction;
  readonly reason: string | null;
};
type Seen = { readonly userId: UserId; readonly version: number };
type Change = Parameters<MembershipsRepository['change']>[2]['change'];

/** What one person may do to another one's membership. */
@Injectable()
export class MemberActs {
  constructor(
    private readonly memberships: MembershipsRepository,
    private readonly roles: RolesRepository,
    private readonly clock: Clock,
  ) {}

  async giveRole(by: ActBy, { role, ...seen }: Seen & { readonly role: RoleKey }): Promise<MembershipRow> {
    const row = await this.changeable(by, seen.userId);
    checkWithinOwn(by.principal, (await this.roles.read(by.scope, role, by.tx)).permissions);
    if (row.version === seen.version && row.role === role) return row;
    this.checkSeen(by, row, seen);
    const audited = { did: 'role-changed', before: { role: row.role }, after: { role } } as const;
    return this.change(by, { row, change: { role } }, audited);
  }

  async setStatus(
    by: ActBy,
    { status, ...seen }: Seen & { readonly status: MembershipRow['status'] },
  ): Promise<MembershipRow> {
    const row = await this.changeable(by, seen.userId);
    if (row.userId === by.principal.userId)
      throw new Problem('org.not-oneself', { detail: 'Leave the organisation, or ask another admin.' });
    this.checkSeen(by, row, seen);
    const isSuspended = status === 'suspended';
    const change = { status, reason: isSuspended ? by.reason : null };
    return this.change(by, { row, change }, { did: isSuspended ? 'suspended' : 'restored' });
  }

  /** Told again, under the same id, it ends nothing that began since. */
  async endAccess(by: ActBy, { userId, id }: { readonly userId: UserId; readonly id: AccessEndId }): Promise<void> {
    const row = await this.changeable(by, userId);
    if (row.accessEnd?.id === id) return;
    const accessEnd = { id, at: this.clock.now(), reason: by.reason ?? '' };
    await this.change(by, { row, change: { accessEnd } }, { did: 'access-ended' });
  }

  /** Nobody changes somebody who may do more: `org.beyond-own-rights`. */
  async changeable({ scope, principal, tx }: ActBy, userId: UserId): Promise<MembershipRow> {
    const row = await this.memberships.find(scope, userId, tx);
    if (!row) throw new Problem('org.member-not-found');
    checkWithinOwn(principal, (await this.roles.read(scope, row.role, tx)).permissions);
    return row;
  }

  private checkSeen({ principal }: ActBy, row: MembershipRow, { version }: Seen): void {
    if (row.version !== version) throw new Problem('platform.conflict', { current: seenBy(principal, row) });
  }

  private async change(
    { scope, principal, tx, reason }: ActBy,
    { row, change }: { readonly row: MembershipRow; readonly change: Change },
    act: Omit<MemberAct, 'reason'>,
  ): Promise<MembershipRow> {
    const changed = await this.memberships.change(scope, tx, { row, change });
    if (!changed) throw new Problem('platform.conflict', { current: seenBy(principal, row) });
    const { orgId, userId, role, status } = changed.row;
    const { rightsVersion } = changed;
    tx.record(membershipChanged, { orgId, userId, role, status, rightsVersion, act: { ...act, reason } });
    return changed.row;
  }
}
