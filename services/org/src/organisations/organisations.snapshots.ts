import { membershipAdded, organisationCreated, flowChanged } from '@parley/contracts';
import { eachRow, jobScope, type Mongo } from '@parley/platform/mongo';
import type { RecordSnapshot } from '@parley/platform/service';
import { membershipRows, organisationRows, flowOf } from '../rights/index.ts';

const everything = jobScope('tells all organisations and memberships again');

/** All organisations, then all memberships, as they are now. */
export async function tellOrganisations(mongo: Mongo, record: RecordSnapshot): Promise<void> {
  const versions = new Map<string, number>();
  for await (const row of eachRow(mongo.rows(organisationRows).within(everything))) {
    const { _id: orgId, createdBy, rightsVersion } = row;
    versions.set(orgId, rightsVersion);
    await record(organisationCreated, { orgId, createdBy });
    await record(flowChanged, { orgId, flow: flowOf(row), rightsVersion });
  }
  for await (const { orgId, userId, role } of eachRow(mongo.rows(membershipRows).within(everything)))
    await record(membershipAdded, { orgId, userId, role, rightsVersion: versions.get(orgId) ?? 1 });
}
