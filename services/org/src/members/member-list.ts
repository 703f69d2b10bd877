import { Injectable } from '@nestjs/common';
import {
  orgRoles,
  permissionsOf,
  type findMembers,
  type listHolders,
  type listMembers,
  type Member,
} from '@parley/contracts';
import {
  Mongo,
  type Filter,
  type OrganisationScope,
  type Page,
  type PageQuery,
  type RowOf,
  type Rows,
} from '@parley/platform/mongo';
import type { InputOf } from '@parley/platform/service';
import { wordFilter } from '@parley/platform/text';
import type { ResponseOf, UserId } from '@parley/protocol';
import { membershipRows, RolesRepository } from '../rights/index.ts';
import { toMember } from './member.ts';

type Wanted = {
  readonly text?: string | undefined;
  readonly where: Filter<RowOf<typeof membershipRows>>;
  readonly seesPersonal: boolean;
};

/** Finds members, by the start of any word and by one property. */
@Injectable()
export class MemberList {
  private readonly memberships: Rows<typeof membershipRows>;

  constructor(
    mongo: Mongo,
    private readonly roles: RolesRepository,
  ) {
    this.memberships = mongo.rows(membershipRows);
  }

  list({ scope, principal, query }: InputOf<typeof listMembers>): Promise<ResponseOf<typeof listMembers>> {
    const { role, groupId, status, ids, ...rest } = query;
    const seesPersonal = principal.organisation?.permissions.includes('member:read_pii') ?? false;
    const where = {
      ...(ids && { userId: { $in: ids.split(',') as UserId[] } }),
      ...(role && { role }),
      ...(groupId && { groupIds: groupId }),
      ...(status && { status }),
    };
    return this.page(scope, { ...rest, where, seesPersonal });
  }

  find({ scope, params, body }: InputOf<typeof findMembers>): Promise<ResponseOf<typeof findMembers>> {
    const { among, except, role, groupId, ...rest } = body;
    const userId = { ...(among && { $in: among }), ...(except && { $nin: except }) };
    const where = {
      ...((among || except) && { userId }),
      ...(role && { role }),
      ...(groupId && { groupIds: groupId }),
    };
    return this.page(scope.in(params.orgId), { ...rest, where, seesPersonal: true });
  }

  async holders({ scope, params, query }: InputOf<typeof listHolders>): Promise<ResponseOf<typeof listHolders>> {
    const own = scope.in(params.orgId);
    const built = orgRoles.filter((role) => permissionsOf(role).includes(query.permission));
    const made = (await this.roles.list(own)).filter(({ permissions }) => permissions.includes(query.permission));
    const role = { $in: [...built, ...made.map(({ _id }) => _id)] };
    const rows = await this.memberships
      .within(own)
      .find({ role, status: 'active' }, { sort: { sortName: 1 }, limit: query.limit, fields: ['userId', 'name'] });
    return { items: rows.map(({ userId, name }) => ({ userId, name })) };
  }

  private async page(
    scope: OrganisationScope,
    { text, where, seesPersonal, ...page }: PageQuery & Wanted,
  ): Promise<Page<Member>> {
    const found = text === undefined ? {} : wordFilter(seesPersonal ? 'words' : 'nameWords', text);
    if (!found) return { items: [], nextCursor: null };
    return this.memberships
      .within(scope)
      .page(page, { by: { sortName: 1 }, where: { ...where, ...found }, to: (row) => toMember(row, { seesPersonal }) });
  }
}
