import { Injectable } from '@nestjs/common';
import {
  organisationCreated,
  organisationResumed,
  organisationSuspended,
  organisationUpdated,
  type changeOrganisationStatus,
  type changeSeatLimit,
  mostCountedUnapproved,
  type approveAll,
  type changeApproval,
  type countUnapproved,
  type getOrganisationFacts,
  type getPlatformOrganisation,
  type inviteFirstOwner,
  type PlatformOrganisation,
  type provisionOrganisation,
} from '@parley/contracts';
import { Mongo, type OrganisationScope, type Rows } from '@parley/platform/mongo';
import type { InputOf } from '@parley/platform/service';
import { Work } from '@parley/platform/work';
import { Problem, type ResponseOf } from '@parley/protocol';
import { InvitationLinks, type InvitationRow } from '../invitations/index.ts';
import { newOrganisation, withFreeSlug } from '../organisations/index.ts';
import {
  approvalOf,
  Approvals,
  MembershipsRepository,
  organisationRows,
  publishFlow,
  settingsOf,
  statusOf,
} from '../rights/index.ts';
import { FirstOwners } from './first-owners.ts';
import { PlatformViews } from './platform-views.ts';

const approvedAtOnce = 50;

/** What platform admins do with organisations; of what is in them they see counts only. */
@Injectable()
export class AllOrganisationsService {
  private readonly organisations: Rows<typeof organisationRows>;

  constructor(
    mongo: Mongo,
    private readonly memberships: MembershipsRepository,
    private readonly firstOwners: FirstOwners,
    private readonly views: PlatformViews,
    private readonly work: Work,
    private readonly links: InvitationLinks,
    private readonly approvals: Approvals,
  ) {
    this.organisations = mongo.rows(organisationRows);
  }

  read({ scope, params }: InputOf<typeof getPlatformOrganisation>): Promise<PlatformOrganisation> {
    return this.views.of(scope.in(params.orgId));
  }

  async provision({
    scope,
    principal,
    body,
  }: InputOf<typeof provisionOrganisation>): Promise<ResponseOf<typeof provisionOrganisation>> {
    const { id: orgId, name, locale, timeZone, seatLimit, owner } = body;
    const named = { name, slug: body.slug };
    const own = scope.in(orgId);
    const founding = { id: orgId, name, locale, timeZone, createdBy: principal.userId, isByPlatform: true };
    let invited: readonly InvitationRow[] = [];
    if (!(await this.organisations.within(own).findById(orgId))) {
      await withFreeSlug(named, (slug) =>
        this.work.run(principal, async (tx) => {
          const row = { ...newOrganisation({ ...founding, now: tx.now }, slug), seatLimit };
          await this.organisations.within(own, tx).insert(row);
          const provisioned = { seatLimit };
          tx.record(organisationCreated, { orgId, createdBy: principal.userId, provisioned, isAct: true });
          publishFlow(tx, row);
          invited = await this.firstOwners.invite(own, tx, { principal, owner });
        }),
      );
    }
    return this.withLink(own, invited);
  }

  async inviteFirstOwner({
    scope,
    principal,
    params,
    body: owner,
  }: InputOf<typeof inviteFirstOwner>): Promise<ResponseOf<typeof inviteFirstOwner>> {
    const own = scope.in(params.orgId);
    const invited = await this.work.run(principal, (tx) => this.firstOwners.invite(own, tx, { principal, owner }));
    return this.withLink(own, invited);
  }

  async changeStatus({
    scope,
    principal,
    params,
    body,
  }: InputOf<typeof changeOrganisationStatus>): Promise<PlatformOrganisation> {
    const own = scope.in(params.orgId);
    const { version } = body;
    const reason = body.status === 'suspended' ? body.reason : null;
    await this.work.run(principal, async (tx) => {
      const suspension = reason === null ? null : { reason, by: principal.name, at: tx.now };
      await this.memberships.organisation(own, tx);
      const row = await this.memberships.suspend(own, tx, { version, suspension });
      if (!row) throw await this.conflict(own);
      const event = suspension ? organisationSuspended : organisationResumed;
      const { version: now, rightsVersion } = row;
      tx.record(event, { orgId: own.orgId, version: now, rightsVersion, act: { reason } });
    });
    return this.views.of(own);
  }

  async changeSeatLimit({
    scope,
    principal,
    params,
    body,
  }: InputOf<typeof changeSeatLimit>): Promise<PlatformOrganisation> {
    const own = scope.in(params.orgId);
    const { version, seatLimit } = body;
    await this.work.run(principal, async (tx) => {
      const before = await this.memberships.organisation(own, tx);
      const row = await this.organisations
        .within(own, tx)
        .change({ _id: own.orgId, version }, { $set: { seatLimit }, $inc: { version: 1 } });
      if (!row) throw await this.conflict(own);
      const act = { did: 'seat-limit', before: settingsOf(before), after: settingsOf(row) } as const;
      tx.record(organisationUpdated, { orgId: own.orgId, version: row.version, act });
    });
    return this.views.of(own);
  }

  async changeApproval({
    scope,
    principal,
    params,
    body,
  }: InputOf<typeof changeApproval>): Promise<PlatformOrganisation> {
    const own = scope.in(params.orgId);
    await this.work.run(principal, (tx) => this.approvals.set(own, tx, body));
    return this.views.of(own);
  }

  async countUnapproved({ scope }: InputOf<typeof countUnapproved>): Promise<ResponseOf<typeof countUnapproved>> {
    const unapproved = { isApproved: false };
    return { unapproved: await this.organisations.within(scope).count(unapproved, { limit: mostCountedUnapproved }) };
  }

  async approveAll({
    scope,
    principal,
  }: Pick<InputOf<typeof approveAll>, 'scope' | 'principal'>): Promise<ResponseOf<typeof approveAll>> {
    const rows = await this.organisations
      .within(scope)
      .find({ isApproved: false }, { sort: { _id: 1 }, limit: approvedAtOnce, fields: ['_id'] });
    for (const { _id } of rows)
      await this.work.run(principal, (tx) => this.approvals.set(scope.in(_id), tx, { isApproved: true }));
    return { approved: rows.length, isMore: rows.length === approvedAtOnce };
  }

  async facts({
    scope,
    params,
  }: InputOf<typeof getOrganisationFacts>): Promise<ResponseOf<typeof getOrganisationFacts>> {
    const { orgId } = params;
    const row = await this.memberships.organisation(scope.in(orgId));
    const { name, slug, timeZone, memberCount, seatLimit, createdAt, rightsVersion, version } = row;
    return {
      orgId,
      name,
      slug,
      timeZone,
      status: statusOf(row),
      memberCount,
      seatLimit,
      approval: approvalOf(row),
      createdAt: createdAt.toISOString(),
      // Each of both only grows, and one of them does with every change.
      revision: rightsVersion + version,
    };
  }

  private async withLink(
    scope: OrganisationScope,
    invited: readonly InvitationRow[],
  ): Promise<ResponseOf<typeof inviteFirstOwner>> {
    const [link = null] = await this.links.show(scope, invited);
    return { ...(await this.views.of(scope)), link };
  }

  private async conflict(scope: OrganisationScope): Promise<Problem> {
    return new Problem('platform.conflict', { current: await this.views.of(scope) });
  }
}
