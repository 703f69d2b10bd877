import { Injectable } from '@nestjs/common';
import { Problem, type GroupId } from '@parley/contracts';
import { Mongo, type OrganisationScope, type Rows, type Transaction } from '@parley/platform/mongo';
import { MembershipsRepository, type MembershipRow } from '../rights/index.ts';
import { groupRows } from './group.collection.ts';

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

  /** Counts one more person in each of these; `org.group-not-found` where one is none of these. */
  async enter(scope: OrganisationScope, tx: Transaction, ids: readonly GroupId[]): Promise<void> {
    const counted = await this.groups.within(scope, tx).updateMany({ _id: { $in: ids } }, { $inc: { memberCount: 1 } });
    if (counted !== ids.length) throw new Problem('org.group-not-found');
  }
}
