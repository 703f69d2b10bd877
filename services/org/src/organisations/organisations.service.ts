import { Injectable } from '@nestjs/common';
import {
  membershipAdded,
  organisationCreated,
  organisationUpdated,
  permissionsOf,
  Problem,
  shortNameOf,
  type createOrganisation,
  type getMembership,
  type listOrganisations,
  type listOrgRevocations,
  type Organisation,
  type OrgRole,
  type PersonPrincipal,
  type renameOrganisation,
  type ResponseOf,
  type UserId,
} from '@parley/contracts';
import { Clock } from '@parley/platform/clock';
import {
  isDuplicateKey,
  jobScope,
  Mongo,
  type OrganisationScope,
  type PersonScope,
  type RowOf,
  type Rows,
} from '@parley/platform/mongo';
import { RevocationLog } from '@parley/platform/revocations';
import type { InputOf } from '@parley/platform/service';
import { Work } from '@parley/platform/work';
import { membershipRows, organisationRows } from './organisation.collection.ts';
import { membershipId, numberedSlug } from './organisation.ts';

/** A person's scope does not reach an organisation's row: that person's membership says that it may be read. */
const ofMembers = jobScope('organisations of which the person is a member');
const slugTries = 20;
type NewOrganisation = Pick<Organisation, 'id' | 'name' | 'slug'>;

@Injectable()
export class OrganisationsService {
  private readonly organisations: Rows<typeof organisationRows>;
  private readonly memberships: Rows<typeof membershipRows>;

  constructor(
    mongo: Mongo,
    private readonly work: Work,
    private readonly clock: Clock,
    private readonly revocations: RevocationLog,
  ) {
    this.organisations = mongo.rows(organisationRows);
    this.memberships = mongo.rows(membershipRows);
  }

  /** The creator becomes owner. Repeating the call with the same id returns what was made. */
  async create({ scope, principal, body }: InputOf<typeof createOrganisation>): Promise<Organisation> {
    if (!principal.mayCreateOrganisations) {
      throw new Problem('org.creation-not-allowed', {
        detail:
          'Only platform admins create organisations here. Ask one of them, or ask an organisation to invite you.',
      });
    }
    const made = await this.findMine(scope, body.id);
    if (made) return made;
    for (let attempt = 1; ; attempt += 1) {
      const slug = body.slug ?? numberedSlug(shortNameOf(body.name), attempt);
      try {
        return await this.insert(principal, { id: body.id, name: body.name, slug });
      } catch (error) {
        const isTaken = error instanceof Problem && error.code === 'org.slug-taken';
        if (!isTaken || body.slug !== undefined || attempt === slugTries) throw error;
      }
    }
  }

  /** Those of the person, in the order of their ids. */
  async list({ scope, query }: InputOf<typeof listOrganisations>): Promise<ResponseOf<typeof listOrganisations>> {
    const { items: memberships, nextCursor } = await this.memberships
      .within(scope)
      .page(query, { by: { _id: 1 }, to: (row) => row });
    const ids = memberships.map((membership) => membership.orgId);
    const rows = await this.organisations.within(ofMembers).find({ _id: { $in: ids } });
    const byId = new Map(rows.map((row) => [row._id, row]));
    const items = memberships.flatMap(({ orgId, role }) => {
      const row = byId.get(orgId);
      return row ? [toOrganisation(row, role)] : [];
    });
    return { items, nextCursor };
  }

  async rename({ scope, principal, params, body }: InputOf<typeof renameOrganisation>): Promise<Organisation> {
    const { orgId } = scope;
    if (params.orgId !== orgId) throw new Problem('org.organisation-not-found');
    const { role } = await this.findMember(scope, principal.userId);
    return this.work.run(principal, async (tx) => {
      const renamed = await this.organisations
        .within(scope, tx)
        .change({ version: body.version }, { $set: { name: body.name }, $inc: { version: 1 } });
      if (!renamed) throw new Problem('platform.conflict', { current: await this.read(scope, role) });
      tx.record(organisationUpdated, { orgId, version: renamed.version });
      return toOrganisation(renamed, role);
    });
  }

  /**
   * For the BFF. 404 `org.organisation-not-found` when there is no such membership, whether or not the organisation
   * exists.
   */
  async membership({ scope, params }: InputOf<typeof getMembership>): Promise<ResponseOf<typeof getMembership>> {
    const { orgId, userId } = params;
    const { role, rightsVersion } = await this.findMember(scope.in(orgId), userId);
    return { orgId, userId, permissions: permissionsOf(role), rightsVersion };
  }

  private async findMember(scope: OrganisationScope, userId: UserId): Promise<RowOf<typeof membershipRows>> {
    const membership = await this.memberships.within(scope).findById(membershipId(scope.orgId, userId));
    if (!membership) throw new Problem('org.organisation-not-found');
    return membership;
  }

  listRevocations({ query }: InputOf<typeof listOrgRevocations>): Promise<ResponseOf<typeof listOrgRevocations>> {
    return this.revocations.list(query.after);
  }

  /** A taken slug is `org.slug-taken`. */
  private async insert(principal: PersonPrincipal, { id: orgId, name, slug }: NewOrganisation): Promise<Organisation> {
    const { userId } = principal;
    const scope = ofMembers.in(orgId);
    const now = this.clock.now();
    const made = { name, slug, createdBy: userId, createdAt: now, memberCount: 1, ownerCount: 1, version: 1 };
    const owner = { orgId, userId, role: 'owner', rightsVersion: 1 } as const;
    try {
      await this.work.run(principal, async (tx) => {
        await this.organisations.within(scope, tx).insert({ _id: orgId, ...made });
        await this.memberships.within(scope, tx).insert({ _id: membershipId(orgId, userId), ...owner, joinedAt: now });
        tx.record(organisationCreated, { orgId, createdBy: userId });
        tx.record(membershipAdded, owner);
      });
    } catch (error) {
      if (!isDuplicateKey(error)) throw error;
      throw new Problem(isDuplicateKey(error, 'slug') ? 'org.slug-taken' : 'platform.conflict', {}, { cause: error });
    }
    return toOrganisation({ _id: orgId, ...made }, 'owner');
  }

  private async read(scope: OrganisationScope, role: OrgRole): Promise<Organisation> {
    const row = await this.organisations.within(scope).findById(scope.orgId);
    if (!row) throw new Problem('org.organisation-not-found');
    return toOrganisation(row, role);
  }

  private async findMine(scope: PersonScope, orgId: Organisation['id']): Promise<Organisation | null> {
    const membership = await this.memberships.within(scope).findById(membershipId(orgId, scope.userId));
    return membership && this.read(ofMembers.in(orgId), membership.role);
  }
}

function toOrganisation(row: RowOf<typeof organisationRows>, role: OrgRole): Organisation {
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
