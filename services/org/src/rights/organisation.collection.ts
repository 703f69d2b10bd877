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
    /** Whether a platform admin created it; null, or absent in what earlier versions have written: not looked at yet. */
    isByPlatform: z.boolean().nullable().optional(),
    /** The creator, while they own it and were no platform admin then; counts towards what one person can own. */
    founder: userId.nullable().optional(),
    /** See `flowOf`; null, or absent in what earlier versions have written: not looked at yet. */
    flow: z.union([userId, orgId]).nullable().optional(),
    /** When that flow ends, and which one follows; null or absent: it stays. */
    flowUntil: z.date().nullable().optional(),
    flowAfter: userId.nullable().optional(),
    /** A platform admin gave it turns and limits of its own. */
    hasOwnFlow: z.boolean().optional(),
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
    indexes: [[{ slug: 1 }, { unique: true }], { founder: 1 }, { isByPlatform: 1 }, { flow: 1 }, { flowUntil: 1 }],
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
