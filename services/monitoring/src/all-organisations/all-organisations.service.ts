import { Injectable } from '@nestjs/common';
import {
  getOrganisationFacts,
  type getOrganisationOverview,
  type listAllOrganisations,
  type OrganisationOverview,
} from '@parley/contracts';
import {
  jobScope,
  Mongo,
  type OrganisationScope,
  type PlatformScope,
  type Rows,
  type Transaction,
} from '@parley/platform/mongo';
import { Platform, type InputOf } from '@parley/platform/service';
import { searchKeys, sortNameOf, wordFilter } from '@parley/platform/text';
import { Problem, type OrgId, type ResponseOf } from '@parley/protocol';
import { overviewRows, type OverviewRow } from './overview.collection.ts';

const asking = { deadlineMs: 5_000, failMode: 'refuse' } as const;
const counting = jobScope('how many organisations there are');
const noting = jobScope('activity of all organisations is noted together');
const orders = {
  name: { sortName: 1 },
  members: { memberCount: -1 },
  activity: { lastActivityAt: -1 },
  created: { createdAt: -1 },
} as const;

/** All organisations of the installation, for platform admins. */
@Injectable()
export class AllOrganisationsService {
  private readonly rows: Rows<typeof overviewRows>;

  constructor(
    mongo: Mongo,
    private readonly platform: Platform,
  ) {
    this.rows = mongo.rows(overviewRows);
  }

  async list({ scope, query }: InputOf<typeof listAllOrganisations>): Promise<ResponseOf<typeof listAllOrganisations>> {
    const { text, status, approval, sort = 'name', ...page } = query;
    const found = text === undefined ? {} : wordFilter('words', text);
    if (!found) return { items: [], nextCursor: null };
    const where = { ...found, ...(status && { status }), ...(approval && { approval }) };
    return this.rows.within(scope).page(page, { by: orders[sort], where, to: toOverview });
  }

  async read({
    scope,
    params,
  }: Pick<InputOf<typeof getOrganisationOverview>, 'scope' | 'params'>): Promise<OrganisationOverview> {
    const row = await this.rows.within(scope).findById(params.orgId);
    if (!row) throw new Problem('org.organisation-not-found');
    return toOverview(row);
  }

  /** Returns the names of those that are known. */
  async namesOf(scope: PlatformScope, ids: readonly OrgId[]): Promise<ReadonlyMap<OrgId, string>> {
    const rows = await this.rows.within(scope).find({ _id: { $in: [...ids] } }, { fields: ['name'] });
    return new Map(rows.map(({ _id, name }) => [_id, name]));
  }

  /** Returns whether the installation has one organisation and no more. */
  async isOnlyOne(): Promise<boolean> {
    return (await this.rows.within(counting).count({}, { limit: 2 })) === 1;
  }

  /** Copies what org says now. An older copy never replaces a newer one. */
  async renew(scope: OrganisationScope, tx: Transaction): Promise<void> {
    const { orgId } = scope;
    const facts = await this.platform.peers.call(getOrganisationFacts, { params: { orgId } }, asking);
    const { name, slug, status, approval = 'none', memberCount, seatLimit, timeZone, revision } = facts;
    const createdAt = new Date(facts.createdAt);
    const words = [...new Set([...searchKeys(name), slug, ...searchKeys(slug)])];
    const copy = { name, slug, status, approval, memberCount, seatLimit, createdAt, timeZone, revision, words };
    const sorted = { ...copy, sortName: sortNameOf(name) };
    const rows = this.rows.within(scope, tx);
    const { isNew } = await rows.insertOnce({ _id: orgId, ...sorted, lastActivityAt: createdAt });
    if (!isNew) await rows.update({ _id: orgId, revision: { $lte: revision } }, { $set: sorted });
  }

  /** When somebody has last asked something in each of them. */
  async noteActivity(latest: ReadonlyMap<OrgId, Date>, tx: Transaction): Promise<void> {
    for (const [orgId, at] of latest)
      await this.rows
        .within(noting.in(orgId), tx)
        .later.updateEach([{ filter: { lastActivityAt: { $lt: at } }, change: { $set: { lastActivityAt: at } } }]);
  }
}

const toOverview = (row: OverviewRow): OrganisationOverview => ({
  id: row._id,
  name: row.name,
  slug: row.slug,
  status: row.status,
  approval: row.approval,
  memberCount: row.memberCount,
  seatLimit: row.seatLimit,
  createdAt: row.createdAt.toISOString(),
  lastActivityAt: row.lastActivityAt.toISOString(),
});
