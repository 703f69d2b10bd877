import { Injectable } from '@nestjs/common';
import { orgRoles, permissionsOf, type OrgRole, type Permission, type RoleId, type RoleKey } from '@parley/contracts';
import { Mongo, type OrganisationScope, type Rows, type Transaction } from '@parley/platform/mongo';
import { Quotas } from '@parley/platform/quotas';
import { Problem } from '@parley/protocol';
import { roleRows, type RoleRow } from './role.collection.ts';
import { roleQuota } from './role-quota.ts';

const isBuiltIn = (key: RoleKey): key is OrgRole => (orgRoles as readonly string[]).includes(key);

/** What roles give: the built-in ones by the contracts, the organisation's own by their rows. */
@Injectable()
export class RolesRepository {
  private readonly roles: Rows<typeof roleRows>;
  private readonly quotas: Quotas;

  constructor(mongo: Mongo) {
    this.roles = mongo.rows(roleRows);
    this.quotas = new Quotas(mongo);
  }

  /** 404 `org.role-not-found` where there is no such role here. */
  async read(
    scope: OrganisationScope,
    key: RoleKey,
    tx?: Transaction,
  ): Promise<{ readonly name: string | null; readonly permissions: readonly Permission[] }> {
    if (isBuiltIn(key)) return { name: null, permissions: permissionsOf(key) };
    const row = await this.find(scope, key, tx);
    if (!row) throw new Problem('org.role-not-found');
    return row;
  }

  find(scope: OrganisationScope, id: RoleId, tx?: Transaction): Promise<RoleRow | null> {
    return this.roles.within(scope, tx).findById(id);
  }

  /** By name. */
  list(scope: OrganisationScope): Promise<RoleRow[]> {
    return this.roles.within(scope).find({}, { sort: { name: 1 } });
  }

  async insert(scope: OrganisationScope, row: RoleRow, tx: Transaction): Promise<void> {
    await this.roles.within(scope, tx).insert(row);
    await this.quotas.admit(scope, tx, roleQuota);
  }

  /** Null when the version is not the current one any more. */
  change(
    scope: OrganisationScope,
    { id, version, ...changes }: { id: RoleId; version: number; name?: string; permissions?: Permission[] },
    tx: Transaction,
  ): Promise<RoleRow | null> {
    return this.roles.within(scope, tx).change({ _id: id, version }, { $set: changes, $inc: { version: 1 } });
  }

  /** False when it is gone already. */
  delete(scope: OrganisationScope, id: RoleId, tx: Transaction): Promise<boolean> {
    return this.roles.within(scope, tx).delete({ _id: id });
  }
}
