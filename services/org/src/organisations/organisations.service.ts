import { Injectable } from '@nestjs/common';
import {
  approvalRequested,
  membershipAdded,
  organisationCreated,
  organisationUpdated,
  type createOrganisation,
  type listOrganisations,
  type Organisation,
  type PersonPrincipal,
  type requestApproval,
  type RoleKey,
  type updateOrganisation,
} from '@parley/contracts';
import { jobScope, Mongo, type PersonScope, type Rows } from '@parley/platform/mongo';
import type { InputOf } from '@parley/platform/service';
import { Work } from '@parley/platform/work';
import { Problem, type BodyOf, type ResponseOf } from '@parley/protocol';
import {
  Founders,
  MembershipsRepository,
  membershipRows,
  organisationRows,
  People,
  RolesRepository,
  approvalOf,
  publishFlow,
  settingsOf,
  toSuspension,
  type OrganisationRow,
} from '../rights/index.ts';
import { newOrganisation, withFreeSlug } from './new-organisation.ts';

/** A person's scope does not reach an organisation's row: that person's membership says that it may be read. */
const ofMembers = jobScope('organisations of which the person is a member');

@Injectable()
export class OrganisationsService {
  private readonly organisations: Rows<typeof organisationRows>;
  private readonly memberships: Rows<typeof membershipRows>;

  constructor(
    mongo: Mongo,
    private readonly work: Work,
    private readonly members: MembershipsRepository,
    private readonly roles: RolesRepository,
    private readonly people: People,
    private readonly founders: Founders,
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
    return withFreeSlug(body, (slug) => this.insert(principal, body, slug));
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
      return row ? [this.seen(row, role)] : [];
    });
    return { items: await Promise.all(items), nextCursor };
  }

  async update({ scope, principal, params, body }: InputOf<typeof updateOrganisation>): Promise<Organisation> {
    const { orgId } = scope;
    if (params.orgId !== orgId) throw new Problem('org.organisation-not-found');
    const { version, ...settings } = body;
    return this.work.run(principal, async (tx) => {
      const mine = await this.members.find(scope, principal.userId, tx);
      const before = await this.members.organisation(scope, tx);
      if (!mine) throw new Problem('org.organisation-not-found');
      const after = await this.organisations
        .within(scope, tx)
        .change({ version }, { $set: settings, $inc: { version: 1 } });
      if (!after) throw new Problem('platform.conflict', { current: await this.seen(before, mine.role) });
      const act = { did: 'settings', before: settingsOf(before), after: settingsOf(after) } as const;
      tx.record(organisationUpdated, { orgId, version: after.version, act });
      return this.seen(after, mine.role);
    });
  }

  /** Notes it once, for the list of the platform admins. */
  async requestApproval({ scope, principal }: InputOf<typeof requestApproval>): Promise<Organisation> {
    const { orgId } = scope;
    await this.work.run(principal, async (tx) => {
      const row = await this.organisations
        .within(scope, tx)
        .change(
          { isApproved: false, approvalRequestedAt: null },
          { $set: { approvalRequestedAt: tx.now }, $inc: { version: 1 } },
        );
      if (!row) return;
      tx.record(organisationUpdated, { orgId, version: row.version });
      tx.record(approvalRequested, { orgId });
    });
    return this.readMine(ofMembers.of(principal.userId), orgId);
  }

  private async insert(
    principal: PersonPrincipal,
    { id: orgId, ...named }: BodyOf<typeof createOrganisation>,
    slug: string,
  ): Promise<Organisation> {
    const { userId } = principal;
    const scope = ofMembers.in(orgId);
    const person = await this.people.find(userId);
    const { name, locale, timeZone } = named;
    const isByPlatform = principal.platformRole === 'admin';
    const founding = { id: orgId, name, locale, timeZone, createdBy: userId, isByPlatform };
    const counts = { memberCount: 1, ownerCount: 1, roleCounts: { owner: 1 } };
    const founder = isByPlatform ? null : userId;
    const owner = { userId, role: 'owner', groupIds: [], source: 'creator', person } as const;
    const row = await this.work.run(principal, async (tx) => {
      const { now } = tx;
      const made: OrganisationRow = { ...newOrganisation({ ...founding, now }, slug), ...counts, founder };
      if (!isByPlatform) await this.founders.admit(tx, userId);
      await this.organisations.within(scope, tx).insert(made);
      await this.members.insert(scope, tx, { ...owner, now });
      tx.record(organisationCreated, { orgId, createdBy: userId, isAct: true });
      tx.record(membershipAdded, { orgId, userId, role: 'owner', rightsVersion: 1 });
      publishFlow(tx, made);
      return made;
    });
    return this.seen(row, 'owner');
  }

  /** 404 `org.organisation-not-found` for whoever is not in it. */
  async readMine(scope: PersonScope, orgId: Organisation['id']): Promise<Organisation> {
    const mine = await this.findMine(scope, orgId);
    if (!mine) throw new Problem('org.organisation-not-found');
    return mine;
  }

  private async findMine(scope: PersonScope, orgId: Organisation['id']): Promise<Organisation | null> {
    const mine = await this.members.findMine(scope, orgId);
    return mine && this.seen(await this.members.organisation(ofMembers.in(orgId)), mine.role);
  }

  private async seen(row: OrganisationRow, role: RoleKey): Promise<Organisation> {
    const { _id: id, name, slug, memberCount, locale, timeZone, version } = row;
    const { name: roleName, permissions } = await this.roles.read(ofMembers.in(id), role);
    const [suspension, createdAt] = [toSuspension(row), row.createdAt.toISOString()];
    return {
      id,
      name,
      slug,
      role,
      roleName,
      permissions,
      memberCount,
      locale,
      timeZone,
      suspension,
      approval: approvalOf(row),
      createdAt,
      version,
    };
  }
}
