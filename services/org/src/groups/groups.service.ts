import { Injectable } from '@nestjs/common';
import {
  groupChanged,
  type createGroup,
  type deleteGroup,
  type Group,
  type listGroupMembers,
  type listGroups,
  type renameGroup,
} from '@parley/contracts';
import { isDuplicateKey, Mongo, type Rows } from '@parley/platform/mongo';
import type { InputOf } from '@parley/platform/service';
import { Quotas } from '@parley/platform/quotas';
import { Work } from '@parley/platform/work';
import { Problem, type ResponseOf } from '@parley/protocol';
import { membersPerTurn, MembershipsRepository, membershipRows } from '../rights/index.ts';
import { groupRows, type GroupRow } from './group.collection.ts';
import { groupQuota } from './group-quota.ts';

/** People under a name, without rights. */
@Injectable()
export class GroupsService {
  private readonly groups: Rows<typeof groupRows>;
  private readonly members: Rows<typeof membershipRows>;
  private readonly quotas: Quotas;

  constructor(
    mongo: Mongo,
    private readonly memberships: MembershipsRepository,
    private readonly work: Work,
  ) {
    this.groups = mongo.rows(groupRows);
    this.members = mongo.rows(membershipRows);
    this.quotas = new Quotas(mongo);
  }

  async list({ scope }: InputOf<typeof listGroups>): Promise<ResponseOf<typeof listGroups>> {
    return { items: (await this.groups.within(scope).find({}, { sort: { name: 1 } })).map(toGroup) };
  }

  async listMembers({ scope, params }: InputOf<typeof listGroupMembers>): Promise<ResponseOf<typeof listGroupMembers>> {
    const own = scope.in(params.orgId);
    const groups = await this.groups.within(own).find({}, { sort: { name: 1 } });
    const ids = groups.map(({ _id }) => _id);
    const found = await this.members.within(own).find({ groupIds: { $in: ids } }, { fields: ['userId', 'groupIds'] });
    return {
      items: groups.map(({ _id: id, name }) => ({
        id,
        name,
        userIds: found.filter(({ groupIds }) => groupIds.includes(id)).map(({ userId }) => userId),
      })),
    };
  }

  create({ scope, principal, body }: InputOf<typeof createGroup>): Promise<Group> {
    const { id: groupId, name } = body;
    return this.named(() =>
      this.work.run(principal, async (tx) => {
        const groups = this.groups.within(scope, tx);
        const fresh: GroupRow = { _id: groupId, orgId: scope.orgId, name, memberCount: 0, version: 1 };
        const { row, isNew } = await groups.insertOnce(fresh);
        if (!isNew) return toGroup(row);
        await this.quotas.admit(scope, tx, groupQuota);
        tx.record(groupChanged, { orgId: scope.orgId, groupId, change: 'created', act: { name, before: null } });
        return toGroup(row);
      }),
    );
  }

  rename({ scope, principal, params, body }: InputOf<typeof renameGroup>): Promise<Group> {
    const { groupId } = params;
    return this.named(() =>
      this.work.run(principal, async (tx) => {
        const before = await this.groups.within(scope, tx).findById(groupId);
        if (!before) throw new Problem('org.group-not-found');
        const row = await this.groups
          .within(scope, tx)
          .change({ _id: groupId, version: body.version }, { $set: { name: body.name }, $inc: { version: 1 } });
        if (!row) throw new Problem('platform.conflict', { current: toGroup(before) });
        const act = { name: row.name, before: before.name };
        tx.record(groupChanged, { orgId: scope.orgId, groupId, change: 'updated', act });
        return toGroup(row);
      }),
    );
  }

  /**
   * Its people leave it first, in batches. Where that breaks off, the group has fewer members, and deleting it again goes
   * on.
   */
  async delete({ scope, principal, params: { groupId } }: InputOf<typeof deleteGroup>): Promise<void> {
    for (let isMore = true; isMore;)
      isMore = await this.work.run(principal, async (tx) => {
        const groups = this.groups.within(scope, tx);
        const before = await groups.findById(groupId);
        if (!before) throw new Problem('org.group-not-found');
        const left = await this.memberships.leaveGroup(scope, tx, groupId);
        if (left === membersPerTurn) {
          await groups.update({ _id: groupId }, { $inc: { memberCount: -left } });
          return true;
        }
        await groups.delete({ _id: groupId });
        await this.memberships.roleChanged(scope, tx);
        const act = { name: before.name, before: null };
        tx.record(groupChanged, { orgId: scope.orgId, groupId, change: 'deleted', act });
        return false;
      });
  }

  private async named(act: () => Promise<Group>): Promise<Group> {
    try {
      return await act();
    } catch (error) {
      if (!isDuplicateKey(error, 'name')) throw error;
      throw new Problem('org.name-taken', { detail: 'There is a group of this name.' }, { cause: error });
    }
  }
}

const toGroup = ({ _id: id, name, memberCount, version }: GroupRow): Group => ({ id, name, memberCount, version });
