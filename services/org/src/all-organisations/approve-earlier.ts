import { jobScope, type Mongo } from '@parley/platform/mongo';
import type { DataMigration } from '@parley/platform/schema';
import { job, workOfMigration, type Work } from '@parley/platform/work';
import type { OrgId } from '@parley/protocol';
import { auditRows } from '../audit/index.ts';
import { organisationRows, publishFlow, type OrganisationRow } from '../rights/index.ts';

const scope = jobScope('which organisations of earlier versions are approved');
const acting = job('approves organisations of earlier versions');
const organisationsAtOnce = 100;
const formerIndexes = ['flow_1', 'flowUntil_1', 'isByPlatform_1'];
const former = { flow: '', flowUntil: '', flowAfter: '', hasOwnFlow: '' };

/**
 * Approves what a platform admin created, what has a flow that one gave it, and what ever had a confirmed order, and
 * publishes it: services that share workers knew nothing of most of these. All others are not approved.
 */
export const approveEarlier: DataMigration = {
  name: 'approvals',
  title: 'approving organisations',
  walks: 'organisations',
  async batch(mongo, cursor) {
    const rows = await mongo
      .rows(organisationRows)
      .within(scope)
      .find(cursor === null ? {} : { _id: { $gt: cursor as OrgId } }, { sort: { _id: 1 }, limit: organisationsAtOnce });
    const work = workOfMigration(mongo, 'org');
    for (const row of rows) if (row.isApproved === undefined) await approve(mongo, work, row);
    if (rows.length === organisationsAtOnce) return rows.at(-1)!._id;
    const organisations = mongo.connection.collection('organisations');
    await organisations.updateMany({}, { $unset: former });
    for (const index of formerIndexes) await mongo.dropIndex({ name: 'organisations' }, index);
    return null;
  },
};

async function approve(mongo: Mongo, work: Work, row: OrganisationRow & { hasOwnFlow?: boolean }): Promise<void> {
  const own = scope.in(row._id);
  const isApproved = row.isByPlatform === true || row.hasOwnFlow === true || (await wasApproved(mongo, row._id));
  await work.run(acting, async (tx) => {
    const set = { isApproved, approvalRequestedAt: null };
    const known = await mongo
      .rows(organisationRows)
      .within(own, tx)
      .change({ _id: row._id }, { $set: set, $inc: { rightsVersion: isApproved ? 1 : 0 } });
    if (known && isApproved) publishFlow(tx, known);
  });
}

/** Returns what the audit log has of it: billing confirmed an order, or a platform admin made it for its first owner. */
const wasApproved = (mongo: Mongo, orgId: OrgId): Promise<boolean> =>
  mongo
    .rows(auditRows)
    .within(scope.in(orgId))
    .exists({ act: { $in: ['order.confirmed', 'organisation.provisioned'] } });
