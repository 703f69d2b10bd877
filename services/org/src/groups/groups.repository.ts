import { Injectable } from '@nestjs/common';
import type { GroupId } from '@parley/contracts';
import { Problem } from '@parley/protocol';
import { Mongo, type OrganisationScope, type Rows, type Transaction } from '@parley/platform/mongo';
import { MembershipsRepository, type MembershipRow } from '../rights/index.ts';
import { groupRows, type GroupRow } from './group.collection.ts';

/** Who is in which group; each group counts its members. */
@Injectable()
export class GroupsRepository {
  private readonly groups: Rows<typeof groupRows>;

  constructor(
    mongo: Mongo,
    private readonly memberships: MembershipsRepository,
  ) {
    this.groups = mongo.rows(groupRows);
  }

  /** The person is in these groups afterwards and in no other; `org.group-not-found` where one is none of these. */
  async assign(
    scope: OrganisationScope,
    tx: Transaction,
    { row, groupIds }: { readonly row: MembershipRow; readonly groupIds: readonly GroupId[] },
  ): Promise<MembershipRow> {
    const joined = groupIds.filter((id) => !row.groupIds.includes(id));
    const left = row.groupIds.filter((id) => !groupIds.includes(id));
    if (joined.length === 0 && left.length === 0) return row;
    await this.enter(scope, tx, joined);
    await this.groups.within(scope, tx).updateMany({ _id: { $in: left } }, { $inc: { memberCount: -1 } });
    return this.memberships.setGroups(scope, tx, { row, groupIds });
  }

  /** `org.group-not-found` where one is none of the organisation's. */
  async checkKnown(scope: OrganisationScope, ids: readonly GroupId[]): Promise<void> {
    if ((await this.known(scope, ids)).length !== new Set(ids).size) throw new Problem('org.group-not-found');
  }

  /** What they are called; one that is gone is left out. */
  async names(scope: OrganisationScope, ids: readonly GroupId[]): Promise<string[]> {
    return (await this.known(scope, ids)).map(({ name }) => name);
  }

  /** Counts one more person in those that are still there, and returns them. */
  async enterKnown(scope: OrganisationScope, tx: Transaction, ids: readonly GroupId[]): Promise<GroupId[]> {
    const known = (await this.known(scope, ids, tx)).map(({ _id }) => _id);
    await this.enter(scope, tx, known);
    return known;
  }

  private async known(scope: OrganisationScope, ids: readonly GroupId[], tx?: Transaction): Promise<GroupRow[]> {
    return ids.length === 0 ? [] : this.groups.within(scope, tx).find({ _id: { $in: ids } });
  }

  /** Counts one more person in each of these; `org.group-not-found` where one is none of these. */
  async enter(scope: OrganisationScope, tx: Transaction, ids: readonly GroupId[]): Promise<void> {
    const counted = await this.groups.within(scope, tx).updateMany({ _id: { $in: ids } }, { $inc: { memberCount: 1 } });
    if (counted !== ids.length) throw new Problem('org.group-not-found');
  }
}
