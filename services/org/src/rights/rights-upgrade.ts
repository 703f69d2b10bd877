import { jobScope } from '@parley/platform/mongo';
import type { DataMigration } from '@parley/platform/schema';
import type { OrgId } from '@parley/contracts';
import { membershipRows } from './membership.collection.ts';
import { personFields } from './membership.ts';
import { organisationRows } from './organisation.collection.ts';

const scope = jobScope('organisations get a guard');
const organisationsAtOnce = 100;

/**
 * The first version counted members and owners only, and knew memberships of creators only: there was no other way in.
 * Names and addresses are asked of auth at the start.
 */
export const membershipGuards: DataMigration = {
  name: 'membership-guards',
  async batch(mongo, cursor) {
    const organisations = mongo.rows(organisationRows).within(scope);
    const rows = await organisations.find(cursor === null ? {} : { _id: { $gt: cursor as OrgId } }, {
      sort: { _id: 1 },
      limit: organisationsAtOnce,
    });
    for (const row of rows) {
      if ((row as { rightsVersion?: number }).rightsVersion !== undefined) continue;
      const memberships = mongo.rows(membershipRows).within(scope.in(row._id));
      const fields = { groupIds: [], status: 'active', reason: null, source: 'creator', version: 1 } as const;
      const unknown = personFields({ name: '', email: null, version: 0 });
      await memberships.updateMany({}, { $set: { ...fields, groupIds: [], ...unknown } });
      const roleCounts = { owner: row.memberCount };
      await organisations.update(
        { _id: row._id },
        { $set: { seatsHeld: 0, seatLimit: null, roleCounts, rightsVersion: 1 } },
      );
    }
    return rows.length < organisationsAtOnce ? null : rows.at(-1)!._id;
  },
};
