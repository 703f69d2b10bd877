import { Injectable } from '@nestjs/common';
import {
  membershipAdded,
  organisationCreated,
  organisationUpdated,
  permissionsOf,
  Problem,
  type BodyOf,
  type createOrganisation,
  type getMembership,
  type ResponseOf,
  type Organisation,
  type OrgId,
  type OrgRole,
  type PersonPrincipal,
  type renameOrganisation,
  type UserId,
} from '@parley/contracts';
import { jobScope, type OrganisationScope, type PersonScope } from '@parley/platform/mongo';
import { Work } from '@parley/platform/work';
import type { OrganisationRow } from './organisation.schema.ts';
import { numberedSlug, slugFrom, type Membership } from './organisation.ts';
import { OrganisationsRepository } from './organisations.repository.ts';

/** A person's scope does not reach an organisation's row; the membership that was found or made says that it may. */
const ownOrganisations = jobScope('organisations of which the person is a member');
const slugTries = 20;

@Injectable()
export class OrganisationsService {
  constructor(
    private readonly organisations: OrganisationsRepository,
    private readonly work: Work,
  ) {}

  /** The creator becomes owner. Repeating the call with the same id returns what was made. */
  async create(
    scope: PersonScope,
    principal: PersonPrincipal,
    input: BodyOf<typeof createOrganisation>,
  ): Promise<Organisation> {
    if (!principal.mayCreateOrganisations) {
      throw new Problem('org.creation-not-allowed', {
        detail:
          'Only platform admins create organisations here. Ask one of them, or ask an organisation to invite you.',
      });
    }
    const made = await this.findMine(scope, input.id);
    if (made) return made;
    for (let attempt = 1; ; attempt += 1) {
      const slug = input.slug ?? numberedSlug(slugFrom(input.name), attempt);
      try {
        await this.insert(scope, principal, { id: input.id, name: input.name, slug });
        break;
      } catch (error) {
        const isTaken = error instanceof Problem && error.code === 'org.slug-taken';
        if (!isTaken || input.slug !== undefined || attempt === slugTries) throw error;
      }
    }
    return this.mine(scope, input.id);
  }

  async list(
    scope: PersonScope,
    page: { limit: number; cursor?: string },
  ): Promise<{ items: Organisation[]; nextCursor: string | null }> {
    const after = (page.cursor ?? null) as OrgId | null;
    const memberships = await this.organisations.listMemberships(scope, { after, limit: page.limit + 1 });
    const shown = memberships.slice(0, page.limit);
    const rows = await this.organisations.findMany(
      scope,
      shown.map((membership) => membership.orgId),
    );
    const byId = new Map(rows.map((row) => [row._id, row]));
    const items = shown.flatMap(({ orgId, role }) => {
      const row = byId.get(orgId);
      return row ? [toOrganisation(row, role)] : [];
    });
    return { items, nextCursor: memberships.length > page.limit ? (shown.at(-1)?.orgId ?? null) : null };
  }

  async rename(
    scope: OrganisationScope,
    principal: PersonPrincipal,
    input: BodyOf<typeof renameOrganisation>,
  ): Promise<Organisation> {
    const { role } = await this.findMember(scope, principal.userId);
    const renamed = await this.work.run(principal, async (tx) => {
      const row = await this.organisations.rename(scope, input, tx);
      if (!row) throw new Problem('platform.conflict', { current: await this.read(scope, role) });
      tx.record(organisationUpdated, { orgId: scope.orgId, version: row.version });
      return row;
    });
    return toOrganisation(renamed, role);
  }

  /**
   * For the BFF. 404 `org.organisation-not-found` when there is no such membership, whether or not the organisation
   * exists.
   */
  async membership(scope: OrganisationScope, userId: UserId): Promise<ResponseOf<typeof getMembership>> {
    const { role, rightsVersion } = await this.findMember(scope, userId);
    return { orgId: scope.orgId, userId, permissions: permissionsOf(role), rightsVersion };
  }

  private async findMember(scope: OrganisationScope, userId: UserId): Promise<Membership> {
    const membership = await this.organisations.findMembership(scope, userId);
    if (!membership) throw new Problem('org.organisation-not-found');
    return membership;
  }

  private async insert(
    scope: PersonScope,
    principal: PersonPrincipal,
    organisation: { id: OrgId; name: string; slug: string },
  ): Promise<void> {
    const orgId = organisation.id;
    const { userId } = scope;
    await this.work.run(principal, async (tx) => {
      await this.organisations.create(scope, organisation, tx);
      tx.record(organisationCreated, { orgId, createdBy: userId });
      tx.record(membershipAdded, { orgId, userId, role: 'owner', rightsVersion: 1 });
    });
  }

  private async read(scope: OrganisationScope, role: OrgRole): Promise<Organisation> {
    const row = await this.organisations.find(scope);
    if (!row) throw new Problem('org.organisation-not-found');
    return toOrganisation(row, role);
  }

  private async findMine(scope: PersonScope, orgId: OrgId): Promise<Organisation | null> {
    const membership = await this.organisations.findMembership(ownOrganisations.in(orgId), scope.userId);
    return membership && this.read(ownOrganisations.in(orgId), membership.role);
  }

  private async mine(scope: PersonScope, orgId: OrgId): Promise<Organisation> {
    const organisation = await this.findMine(scope, orgId);
    if (!organisation) throw new Problem('org.organisation-not-found');
    return organisation;
  }
}

function toOrganisation(row: OrganisationRow, role: OrgRole): Organisation {
  const { _id, name, slug, memberCount, createdAt, version } = row;
  return {
    id: _id,
    name,
    slug,
    role,
    permissions: permissionsOf(role),
    memberCount,
    createdAt: createdAt.toISOString(),
    version,
  };
}
