import { Injectable } from '@nestjs/common';
import {
  orgRoles,
  permissionsOf,
  roleChanged,
  type createRole,
  type deleteRole,
  type listRoles,
  type Permission,
  type PersonPrincipal,
  type Role,
  type RoleKey,
  type updateRole,
} from '@parley/contracts';
import { isDuplicateKey, type OrganisationScope, type Transaction } from '@parley/platform/mongo';
import type { InputOf } from '@parley/platform/service';
import { Work } from '@parley/platform/work';
import { Problem, type ResponseOf } from '@parley/protocol';
import { InvitationsRepository } from '../invitations/index.ts';
import {
  checkWithinOwn,
  membersPerTurn,
  MembershipsRepository,
  RolesRepository,
  type RoleRow,
} from '../rights/index.ts';

type Deletion = { readonly principal: PersonPrincipal; readonly roleId: RoleRow['_id']; readonly replacement: RoleKey };
type Counts = Readonly<Record<string, number>>;

/** The roles of an organisation, and what each gives. */
@Injectable()
export class RolesService {
  constructor(
    private readonly roles: RolesRepository,
    private readonly memberships: MembershipsRepository,
    private readonly invitations: InvitationsRepository,
    private readonly work: Work,
  ) {}

  async list({ scope }: InputOf<typeof listRoles>): Promise<ResponseOf<typeof listRoles>> {
    const { roleCounts } = await this.memberships.organisation(scope);
    const builtIn = orgRoles.map((id) => ({
      id,
      name: null,
      permissions: permissionsOf(id),
      memberCount: roleCounts[id] ?? 0,
      version: 1,
    }));
    const own = await this.roles.list(scope);
    return { items: [...builtIn, ...own.map((row) => toRole(row, roleCounts))] };
  }

  create({ scope, principal, body }: InputOf<typeof createRole>): Promise<Role> {
    const { id: roleId, name } = body;
    const rights = inOrder(body.permissions);
    checkWithinOwn(principal, rights);
    return this.named(() =>
      this.work.run(principal, async (tx) => {
        const known = await this.roles.find(scope, roleId, tx);
        const { roleCounts, rightsVersion } = await this.memberships.organisation(scope, tx);
        if (known) return toRole(known, roleCounts);
        const row: RoleRow = { _id: roleId, orgId: scope.orgId, name, permissions: rights, version: 1 };
        await this.roles.insert(scope, row, tx);
        const act = { before: null, after: { name, permissions: rights }, replacement: null };
        tx.record(roleChanged, { orgId: scope.orgId, roleId, change: 'created', rightsVersion, act });
        return toRole(row, roleCounts);
      }),
    );
  }

  update({ scope, principal, params, body }: InputOf<typeof updateRole>): Promise<Role> {
    const { roleId } = params;
    return this.named(() =>
      this.work.run(principal, async (tx) => {
        const before = await this.find(scope, params, tx);
        const { roleCounts } = await this.memberships.organisation(scope, tx);
        if (before.version !== body.version)
          throw new Problem('platform.conflict', { current: toRole(before, roleCounts) });
        const rights = inOrder(body.permissions ?? before.permissions);
        await this.checkChange(scope, tx, { principal, before, rights });
        const change = {
          id: roleId,
          version: body.version,
          permissions: rights,
          ...(body.name && { name: body.name }),
        };
        const row = await this.roles.change(scope, change, tx);
        if (!row) throw new Problem('platform.conflict');
        const rightsVersion = await this.memberships.roleChanged(scope, tx);
        const act = { before: stateOf(before), after: stateOf(row), replacement: null };
        tx.record(roleChanged, { orgId: scope.orgId, roleId, change: 'updated', rightsVersion, act });
        return toRole(row, roleCounts);
      }),
    );
  }

  /**
   * Those who have it, and open invitations, get the replacement first, in batches. Where that breaks off, the role is
   * still there, and deleting it again goes on.
   */
  async delete({ scope, principal, params, query }: InputOf<typeof deleteRole>): Promise<void> {
    const { roleId } = params;
    const { replacement } = query;
    if (replacement === roleId || replacement === 'owner')
      throw new Problem('platform.invalid-request', {
        errors: [{ path: 'query.replacement', message: 'another role than this one, and not owner' }],
      });
    for (let isMore = true; isMore;)
      isMore = await this.work.run(principal, (tx) => this.deleteSome(scope, tx, { principal, roleId, replacement }));
  }

  /** False when nobody has it any more, and it is deleted. */
  private async deleteSome(
    scope: OrganisationScope,
    tx: Transaction,
    { principal, roleId, replacement }: Deletion,
  ): Promise<boolean> {
    const before = await this.find(scope, { roleId }, tx);
    checkWithinOwn(principal, before.permissions);
    checkWithinOwn(principal, (await this.roles.read(scope, replacement, tx)).permissions);
    const change = { from: roleId, to: replacement };
    if ((await this.invitations.replaceRole(scope, tx, change)) === membersPerTurn) return true;
    if ((await this.memberships.replaceRole(scope, tx, change)) === membersPerTurn) return true;
    await this.roles.delete(scope, roleId, tx);
    const rightsVersion = await this.memberships.roleChanged(scope, tx);
    const act = { before: stateOf(before), after: null, replacement };
    tx.record(roleChanged, { orgId: scope.orgId, roleId, change: 'deleted', rightsVersion, act });
    return false;
  }

  /** Compared are the rights that come and go: others in the role may be beyond one's own. */
  private async checkChange(
    scope: OrganisationScope,
    tx: Transaction,
    change: { principal: PersonPrincipal; before: RoleRow; rights: readonly Permission[] },
  ): Promise<void> {
    const { principal, before, rights } = change;
    const added = rights.filter((right) => !before.permissions.includes(right));
    const taken = before.permissions.filter((right) => !rights.includes(right));
    checkWithinOwn(principal, [...added, ...taken]);
    if (!taken.includes('role:update')) return;
    const mine = await this.memberships.find(scope, principal.userId, tx);
    if (mine?.role === before._id)
      throw new Problem('org.would-lock-out', { detail: 'You have this role: you could not change roles any more.' });
  }

  private async find(
    scope: OrganisationScope,
    { roleId }: { readonly roleId: RoleRow['_id'] },
    tx: Transaction,
  ): Promise<RoleRow> {
    const row = await this.roles.find(scope, roleId, tx);
    if (!row) throw new Problem('org.role-not-found');
    return row;
  }

  private async named(act: () => Promise<Role>): Promise<Role> {
    try {
      return await act();
    } catch (error) {
      if (isDuplicateKey(error, '_id')) throw new Problem('platform.conflict', {}, { cause: error });
      if (!isDuplicateKey(error, 'name')) throw error;
      throw new Problem('org.name-taken', { detail: 'There is a role of this name.' }, { cause: error });
    }
  }
}

/** Each right once, in the order of the catalogue. */
const inOrder = (rights: readonly Permission[]): Permission[] =>
  permissionsOf('owner').filter((right) => rights.includes(right));

const stateOf = ({ name, permissions }: RoleRow) => ({ name, permissions });

const toRole = ({ _id: id, name, permissions, version }: RoleRow, counts: Counts): Role => ({
  id,
  name,
  permissions,
  memberCount: counts[id] ?? 0,
  version,
});
