import { jobScope, type Mongo } from '@parley/platform/mongo';
import type { DataMigration } from '@parley/platform/schema';
import type { OrgId } from '@parley/protocol';
import { membershipRows } from './membership.collection.ts';
import { personFields } from './membership.ts';
import { organisationRows, type OrganisationRow } from './organisation.collection.ts';

const scope = jobScope('organisations get a guard and settings');
const organisationsAtOnce = 100;

/**
 * The first version counted members and owners only, and knew memberships of creators only: there was no other way in.
 * Names and addresses are asked of auth at the start.
 */
export const membershipGuards = ofOrganisations(
  { name: 'membership-guards', title: 'giving organisations their guard' },
  async (mongo, row) => {
    if ((row as { rightsVersion?: number }).rightsVersion !== undefined) return;
    const memberships = mongo.rows(membershipRows).within(scope.in(row._id));
    const fields = { groupIds: [], status: 'active', reason: null, source: 'creator', version: 1 } as const;
    const unknown = personFields({ name: '', picture: null, email: null, version: 0 });
    await memberships.updateMany({}, { $set: { ...fields, groupIds: [], ...unknown } });
    const guard = { seatsHeld: 0, seatLimit: null, roleCounts: { owner: row.memberCount }, rightsVersion: 1 };
    await mongo.rows(organisationRows).within(scope).update({ _id: row._id }, { $set: guard });
  },
);

/** Organisations of before had no language, no time zone and could not be suspended. */
export const organisationSettings = ofOrganisations(
  { name: 'organisation-settings', title: 'giving organisations a language and a time zone' },
  async (mongo, row) => {
    if ((row as { locale?: string }).locale !== undefined) return;
    const settings = { locale: 'en', timeZone: 'UTC', suspension: null } as const;
    await mongo.rows(organisationRows).within(scope).update({ _id: row._id }, { $set: settings });
  },
);

/** Changes one organisation after the other, in the order of their ids. */
type Named = Pick<DataMigration, 'name' | 'title'>;
function ofOrganisations(named: Named, change: (mongo: Mongo, row: OrganisationRow) => Promise<void>): DataMigration {
  return {
    ...named,
    walks: 'organisations',
    async batch(mongo, cursor) {
      const organisations = mongo.rows(organisationRows).within(scope);
      const rows = await organisations.find(cursor === null ? {} : { _id: { $gt: cursor as OrgId } }, {
        sort: { _id: 1 },
        limit: organisationsAtOnce,
      });
      for (const row of rows) await change(mongo, row);
      return rows.length < organisationsAtOnce ? null : rows.at(-1)!._id;
    },
  };
}
