import { Injectable } from '@nestjs/common';
import {
  isWithin,
  type getMembership,
  type listOrgRevocations,
  type Permission,
  type PersonPrincipal,
} from '@parley/contracts';
import { RevocationLog } from '@parley/platform/revocations';
import type { InputOf } from '@parley/platform/service';
import { Problem, type ResponseOf } from '@parley/protocol';
import { MembershipsRepository } from './memberships.repository.ts';
import { RolesRepository } from './roles.repository.ts';
import { checkNotSuspended } from './suspension.ts';

/** What people may do in organisations, for everybody who has to know. */
@Injectable()
export class RightsService {
  constructor(
    private readonly memberships: MembershipsRepository,
    private readonly roles: RolesRepository,
    private readonly revocations: RevocationLog,
  ) {}

  /**
   * 404 `org.organisation-not-found` when there is no such membership, whether or not the organisation exists; 403
   * `org.membership-suspended` and `org.organisation-suspended`. The version is read before the rights: it is never newer than they are.
   */
  async membership({ scope, params }: InputOf<typeof getMembership>): Promise<ResponseOf<typeof getMembership>> {
    const { orgId, userId } = params;
    const organisation = scope.in(orgId);
    const guard = await this.memberships.organisation(organisation);
    const row = await this.memberships.find(organisation, userId);
    if (!row) throw new Problem('org.organisation-not-found');
    if (row.status === 'suspended')
      throw new Problem('org.membership-suspended', { ...(row.reason !== null && { detail: row.reason }) });
    checkNotSuspended(guard);
    const { permissions } = await this.roles.read(organisation, row.role);
    const ended = row.accessEnd ?? null;
    const accessEnd = ended && { at: ended.at.toISOString(), reason: ended.reason };
    const { role, groupIds } = row;
    const { rightsVersion, name: organisationName } = guard;
    return { orgId, userId, permissions, rightsVersion, role, organisationName, accessEnd, groupIds };
  }

  listRevocations({ query }: InputOf<typeof listOrgRevocations>): Promise<ResponseOf<typeof listOrgRevocations>> {
    return this.revocations.list(query.after);
  }
}

/** `org.beyond-own-rights` unless the person has all of these rights: nobody gives or takes what they do not have. */
export function checkWithinOwn(principal: PersonPrincipal, rights: readonly Permission[]): void {
  const own = principal.organisation?.permissions ?? [];
  if (isWithin(rights, own)) return;
  const missing = rights.filter((right) => !own.includes(right));
  throw new Problem('org.beyond-own-rights', { detail: `You do not have: ${missing.join(', ')}.` });
}
