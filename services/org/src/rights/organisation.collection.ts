import { locale } from '@parley/contracts';
import { orgId, userId } from '@parley/protocol';
import { collection, type RowOf } from '@parley/platform/mongo';
import { z } from 'zod';

/**
 * An organisation, and in it the guard of its members: owners, seats and who has which role are counted here and
 * nowhere else, and each change of them is one compare-and-set of this row.
 */
export const organisationRows = collection(
  'organisations',
  {
    _id: orgId,
    name: z.string(),
    slug: z.string(),
    createdBy: userId,
    /** True if a platform admin created it; null or absent where a version before 0.3.0 did not note it. */
    isByPlatform: z.boolean().nullable().optional(),
    /** The creator, while they own it and were no platform admin then; counts towards what one person can own. */
    founder: userId.nullable().optional(),
    /** A platform admin created or approved it, or confirmed an order: it has a flow of its own. Absent before the migration. */
    isApproved: z.boolean().optional(),
    /** When its people asked for it; null or absent where they didn't. */
    approvalRequestedAt: z.date().nullable().optional(),
    createdAt: z.date(),
    locale,
    timeZone: z.string(),
    /** While it is there, nobody of the organisation may do anything in it. */
    suspension: z.strictObject({ reason: z.string(), by: z.string(), at: z.date() }).nullable(),
    /** Members, suspended ones too: each uses a seat. */
    memberCount: z.number(),
    /** Active owners: never fewer than one, once the first has joined. */
    ownerCount: z.number(),
    /** Open invitations by mail: each holds a seat. */
    seatsHeld: z.number(),
    seatLimit: z.number().nullable(),
    /** Members by role. */
    roleCounts: z.record(z.string(), z.number()),
    /** Counts the changes of the guard and of what roles give: principals of an earlier one may be void. */
    rightsVersion: z.number(),
    version: z.number(),
  },
  {
    tenant: { organisation: '_id' },
    indexes: [[{ slug: 1 }, { unique: true }], { founder: 1 }, { isApproved: 1, _id: 1 }],
  },
);
export type OrganisationRow = RowOf<typeof organisationRows>;

/** What admins and platform admins change, as events carry it for the audit log. */
export const settingsOf = ({ name, locale, timeZone, seatLimit }: OrganisationRow) => ({
  name,
  locale,
  timeZone,
  seatLimit,
});
