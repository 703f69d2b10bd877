import { Injectable } from '@nestjs/common';
import type { GroupId, RoleKey } from '@parley/contracts';
import {
  Mongo,
  type OrganisationScope,
  type PersonScope,
  type RowOf,
  type Rows,
  type Transaction,
} from '@parley/platform/mongo';
import { RevocationLog } from '@parley/platform/revocations';
import { Problem, type OrgId, type UserId } from '@parley/protocol';
import { Founders } from './founders.ts';
import { held, moved, replaced, type Guard, type Stand } from './guard.ts';
import { membershipRows, type MembershipRow } from './membership.collection.ts';
import { membershipId, personFields, type Person } from './membership.ts';
import { organisationRows, type OrganisationRow } from './organisation.collection.ts';

export type NewMembership = {
  readonly userId: UserId;
  readonly role: RoleKey;
  readonly groupIds: readonly GroupId[];
  readonly source: MembershipRow['source'];
  readonly person: Person;
  readonly now: Date;
};
/** Memberships that one transaction changes together with their role or group (ADR 0032). */
export const membersPerTurn = 100;
type StandChange = {
  readonly role?: RoleKey;
  readonly status?: MembershipRow['status'];
  readonly reason?: string | null;
  readonly accessEnd?: MembershipRow['accessEnd'];
};

/** Memberships and the guard of their organisation: one never changes without the other. */
@Injectable()
export class MembershipsRepository {
  private readonly organisations: Rows<typeof organisationRows>;
  private readonly memberships: Rows<typeof membershipRows>;

  constructor(
    mongo: Mongo,
    private readonly revocations: RevocationLog,
    private readonly founders: Founders,
  ) {
    this.organisations = mongo.rows(organisationRows);
    this.memberships = mongo.rows(membershipRows);
  }

  /** 404 `org.organisation-not-found`. */
  async organisation(scope: OrganisationScope, tx?: Transaction): Promise<OrganisationRow> {
    const row = await this.organisations.within(scope, tx).findById(scope.orgId);
    if (!row) throw new Problem('org.organisation-not-found');
    return row;
  }

  find(scope: OrganisationScope, userId: UserId, tx?: Transaction): Promise<MembershipRow | null> {
    return this.memberships.within(scope, tx).findById(membershipId(scope.orgId, userId));
  }

  findMine(scope: PersonScope, orgId: OrgId): Promise<MembershipRow | null> {
    return this.memberships.within(scope).findById(membershipId(orgId, scope.userId));
  }

  /** `org.seats-full` where no seat is free. Rejects when there is such a membership. */
  async add(
    scope: OrganisationScope,
    tx: Transaction,
    added: NewMembership,
  ): Promise<{ readonly rightsVersion: number }> {
    const after = { role: added.role, status: 'active' } as const;
    const { rightsVersion } = await this.guard(scope, tx, (guard) => moved(guard, null, after), { ...added, after });
    await this.insert(scope, tx, added);
    return { rightsVersion };
  }

  /** The first one: its organisation was made with a guard that counts it. */
  async insert(scope: OrganisationScope, tx: Transaction, added: NewMembership): Promise<MembershipRow> {
    const { userId, role, groupIds, source, person, now } = added;
    const row: RowOf<typeof membershipRows> = {
      _id: membershipId(scope.orgId, userId),
      orgId: scope.orgId,
      userId,
      role,
      groupIds: [...groupIds],
      status: 'active',
      reason: null,
      source,
      joinedAt: now,
      accessEnd: null,
      version: 1,
      ...personFields(person),
    };
    await this.memberships.within(scope, tx).insert(row);
    return row;
  }

  /** Null when it has changed since it was read. What the person could do with the rights before is void. */
  async change(
    scope: OrganisationScope,
    tx: Transaction,
    { row, change }: { readonly row: MembershipRow; readonly change: StandChange },
  ): Promise<{ row: MembershipRow; rightsVersion: number } | null> {
    const after = { role: change.role ?? row.role, status: change.status ?? row.status };
    const { rightsVersion } = await this.guard(scope, tx, (guard) => moved(guard, row, after), {
      userId: row.userId,
      after,
    });
    const changed = await this.memberships
      .within(scope, tx)
      .change({ _id: row._id, version: row.version }, { $set: change, $inc: { version: 1 } });
    if (!changed) return null;
    await this.revoke(tx, row, rightsVersion);
    return { row: changed, rightsVersion };
  }

  /** Frees the seat, and ends all that the person could do here. Returns the rights version of the end. */
  async remove(scope: OrganisationScope, tx: Transaction, row: MembershipRow): Promise<number> {
    const { rightsVersion } = await this.guard(scope, tx, (guard) => moved(guard, row, null), {
      userId: row.userId,
      after: null,
    });
    await this.memberships.within(scope, tx).delete({ _id: row._id });
    await this.revoke(tx, row, rightsVersion);
    return rightsVersion;
  }

  /**
   * Nobody of it may do anything any more, or all may again. Null when it has changed since it was read. One entry voids
   * what all of them could do before.
   */
  async suspend(
    scope: OrganisationScope,
    tx: Transaction,
    { version, suspension }: Pick<OrganisationRow, 'version' | 'suspension'>,
  ): Promise<OrganisationRow | null> {
    const row = await this.organisations
      .within(scope, tx)
      .change({ _id: scope.orgId, version }, { $set: { suspension }, $inc: { version: 1, rightsVersion: 1 } });
    if (row) await this.revokeAll(scope, tx, row.rightsVersion);
    return row;
  }

  /** So many more seats are held for invitations, or fewer; `org.seats-full` where there are not as many. */
  async hold(scope: OrganisationScope, tx: Transaction, change: number): Promise<void> {
    await this.guard(scope, tx, (guard) => held(guard, change));
  }

  /**
   * Gives some of those who have a role another one, and returns how many: where they are as many as `membersPerTurn`,
   * there may be more. What they could do before is void once `roleChanged` says so.
   */
  async replaceRole(
    scope: OrganisationScope,
    tx: Transaction,
    { from, to }: { readonly from: RoleKey; readonly to: RoleKey },
  ): Promise<number> {
    const _id = { $in: await this.some(scope, tx, { role: from }) };
    const count = _id.$in.length;
    await this.guard(scope, tx, (guard) =>
      replaced(guard, count < membersPerTurn ? { from, to } : { from, to, count }),
    );
    await this.memberships.within(scope, tx).updateMany({ _id }, { $set: { role: to }, $inc: { version: 1 } });
    return count;
  }

  /** A role or a group gives something else now: whatever anybody could do here before is asked again. */
  async roleChanged(scope: OrganisationScope, tx: Transaction): Promise<number> {
    const next = await this.guard(scope, tx, (guard) => ({ ...guard, rightsVersion: guard.rightsVersion + 1 }));
    await this.revokeAll(scope, tx, next.rightsVersion);
    return next.rightsVersion;
  }

  /** Voids no right; those who remember in which groups somebody is ask again. */
  async setGroups(
    scope: OrganisationScope,
    tx: Transaction,
    { row, groupIds }: { readonly row: MembershipRow; readonly groupIds: readonly GroupId[] },
  ): Promise<MembershipRow> {
    const changed = await this.orConflict(
      this.memberships
        .within(scope, tx)
        .change({ _id: row._id, version: row.version }, { $set: { groupIds: [...groupIds] }, $inc: { version: 1 } }),
    );
    await this.revoke(tx, row, (await this.organisation(scope, tx)).rightsVersion);
    return changed;
  }

  /**
   * Removes some people from the group, and returns how many; see `replaceRole`. What they could read before is asked again
   * once `roleChanged` says so.
   */
  async leaveGroup(scope: OrganisationScope, tx: Transaction, groupId: GroupId): Promise<number> {
    const _id = { $in: await this.some(scope, tx, { groupIds: groupId }) };
    const change = { $pull: { groupIds: groupId }, $inc: { version: 1 } } as const;
    await this.memberships.within(scope, tx).updateMany({ _id }, change);
    return _id.$in.length;
  }

  private async some(
    scope: OrganisationScope,
    tx: Transaction,
    which: { readonly role: RoleKey } | { readonly groupIds: GroupId },
  ): Promise<MembershipRow['_id'][]> {
    const rows = await this.memberships.within(scope, tx).find(which, { limit: membersPerTurn, fields: ['_id'] });
    return rows.map((row) => row._id);
  }

  private async orConflict(change: Promise<MembershipRow | null>): Promise<MembershipRow> {
    const changed = await change;
    if (!changed) throw new Problem('platform.conflict');
    return changed;
  }

  private revoke(tx: Transaction, { _id: subject }: MembershipRow, rightsVersion: number): Promise<void> {
    return this.revocations.record(tx, { kind: 'membership', subject, rightsVersion });
  }

  private revokeAll({ orgId: subject }: OrganisationScope, tx: Transaction, rightsVersion: number): Promise<void> {
    return this.revocations.record(tx, { kind: 'organisation', subject, rightsVersion });
  }

  /** Two at once meet here: the second one is run again by its unit of work and sees what the first has made. */
  private async guard(
    scope: OrganisationScope,
    tx: Transaction,
    next: (guard: Guard) => Guard,
    who?: { readonly userId: UserId; readonly after: Stand },
  ): Promise<Guard> {
    const row = await this.organisation(scope, tx);
    const { memberCount, ownerCount, seatsHeld, roleCounts, rightsVersion } = next(row);
    const counts = { memberCount, ownerCount, seatsHeld, roleCounts, rightsVersion };
    const founder = who ? founderAfter(row, who) : row.founder;
    if (founder !== undefined) await this.founders.move(tx, row, founder);
    const isKept = await this.organisations
      .within(scope, tx)
      .update({ _id: scope.orgId, rightsVersion: row.rightsVersion }, { $set: { ...counts, founder } });
    if (!isKept) throw new Problem('platform.conflict');
    return { ...row, ...counts };
  }
}

/** Undefined where nobody knows who created it. */
function founderAfter(
  { createdBy, isByPlatform, founder }: OrganisationRow,
  { userId, after }: { readonly userId: UserId; readonly after: Stand },
): UserId | null | undefined {
  if (userId !== createdBy || isByPlatform !== false) return founder;
  return after?.role === 'owner' ? userId : null;
}
