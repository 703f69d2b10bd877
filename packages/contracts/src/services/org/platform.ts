import { defineEvent, defineRoute, orgId, timestamp, userId } from '@parley/protocol';
import { z } from 'zod';
import { invitationId, orderId } from '../../ids.ts';
import { emailAddress, locale, timeZone } from '../../people.ts';
import { plainName } from '../../plain-text.ts';
import { shownLink } from './invitations.ts';
import { approval, organisationName, organisationSlug, suspension } from './organisations.ts';

/** `waiting`: a platform admin created it, and nobody has accepted to be its owner yet. */
export const organisationStatus = z.enum(['active', 'suspended', 'waiting']);
export type OrganisationStatus = z.infer<typeof organisationStatus>;

/** An organisation as platform admins see it: counts and owners, never content. */
export const platformOrganisation = z.strictObject({
  id: orgId,
  name: z.string(),
  slug: z.string(),
  status: organisationStatus,
  suspension: suspension.nullable(),
  members: z.strictObject({ active: z.number().int(), suspended: z.number().int() }),
  /** Seats that are reserved by open invitations by email. */
  seatsHeld: z.number().int(),
  /** Null is none. */
  seatLimit: z.number().int().nullable(),
  approval,
  /** The first twenty owners by name. */
  owners: z.array(z.strictObject({ userId, name: z.string(), email: z.string().nullable() })),
  /** The open invitation of the first owner; null if there is none. */
  ownerInvitation: z.strictObject({ id: invitationId, email: z.string(), endsAt: timestamp }).nullable(),
  createdAt: timestamp,
  version: z.number().int(),
});
export type PlatformOrganisation = z.infer<typeof platformOrganisation>;

/**
 * The organisation after its first owner was invited; `link` is set if there is no mail server and this call created
 * the invitation.
 */
const withLink = platformOrganisation.extend({ link: shownLink.nullish() });

const platform = { service: 'org', scope: 'platform' } as const;
const one = z.strictObject({ orgId });
const version = z.number().int();
const seatLimit = z.number().int().min(1).max(1_000_000).nullable();
const firstOwner = z.strictObject({ invitationId, email: emailAddress });

/** 404 `org.organisation-not-found`. */
export const getPlatformOrganisation = defineRoute({
  ...platform,
  route: 'GET /api/org/all-organisations/:orgId',
  cost: 'read',
  params: one,
  response: platformOrganisation,
});

/** Creates an organisation without members and invites its first owner by email, for 14 days. Idempotent by id. */
export const provisionOrganisation = defineRoute({
  ...platform,
  route: 'POST /api/org/all-organisations',
  cost: 'write',
  status: 201,
  body: z.strictObject({
    id: orgId,
    name: organisationName,
    owner: firstOwner,
    locale,
    timeZone: timeZone.default('UTC'),
    seatLimit,
    /** The URL name; missing: made from the name. 409 `org.slug-taken`. */
    slug: organisationSlug.optional(),
  }),
  response: withLink,
});

/**
 * Invites the first owner again, to any address. The open invitation ends immediately. 409 `platform.conflict` once
 * someone accepted. Idempotent by id.
 */
export const inviteFirstOwner = defineRoute({
  ...platform,
  route: 'PUT /api/org/all-organisations/:orgId/owner-invitation',
  cost: 'outbound',
  params: one,
  body: firstOwner,
  response: withLink,
});

/**
 * Suspends or resumes an organisation. Suspending ends requests, sockets and running answers of all its people within a
 * second (`org.organisation-suspended`), with the reason and the platform admin's name. It deletes nothing, and the
 * text of an interrupted answer stays.
 */
export const changeOrganisationStatus = defineRoute({
  ...platform,
  route: 'PUT /api/org/all-organisations/:orgId/status',
  cost: 'write',
  params: one,
  body: z.discriminatedUnion('status', [
    z.strictObject({ version, status: z.literal('suspended'), reason: plainName(300) }),
    z.strictObject({ version, status: z.literal('active') }),
  ]),
  response: platformOrganisation,
});

/** Changes the limit of seats. If it is below the used number, nobody is removed, and nobody can join. */
export const changeSeatLimit = defineRoute({
  ...platform,
  route: 'PUT /api/org/all-organisations/:orgId/seat-limit',
  cost: 'write',
  params: one,
  body: z.strictObject({ version, seatLimit }),
  response: platformOrganisation,
});

/** Approves an organisation, or withdraws the approval. Idempotent. */
export const changeApproval = defineRoute({
  ...platform,
  route: 'PUT /api/org/all-organisations/:orgId/approval',
  cost: 'write',
  params: one,
  body: z.strictObject({ isApproved: z.boolean() }),
  response: platformOrganisation,
});

/** Limits the counting of organisations that aren't approved. */
export const mostCountedUnapproved = 1_000;

/** Counts organisations that aren't approved, up to `mostCountedUnapproved`. */
export const countUnapproved = defineRoute({
  ...platform,
  route: 'GET /api/org/approvals',
  cost: 'read',
  response: z.strictObject({ unapproved: z.number().int() }),
});

/** Approves up to 50 organisations, oldest first. Call it again while `isMore`. */
export const approveAll = defineRoute({
  ...platform,
  route: 'POST /api/org/approvals',
  cost: 'write',
  response: z.strictObject({ approved: z.number().int(), isMore: z.boolean() }),
});

/**
 * Returns the fields of an organisation that other services copy; `revision` grows with each change. 404
 * `org.organisation-not-found`.
 */
export const getOrganisationFacts = defineRoute({
  service: 'org',
  scope: 'internal',
  route: 'GET /internal/org/organisations/:orgId',
  params: one,
  response: z.strictObject({
    orgId,
    name: z.string(),
    slug: z.string(),
    timeZone: z.string(),
    status: organisationStatus,
    memberCount: z.number().int(),
    seatLimit: z.number().int().nullable(),
    /** Missing in responses of an earlier version. */
    approval: approval.optional(),
    createdAt: timestamp,
    /** Grows with each change. */
    revision: z.number().int(),
  }),
});

const stopped = z.object({
  orgId,
  version,
  /** Principals of the organisation with an older version are invalid. */
  rightsVersion: z.number().int(),
  /** The act for the audit log. Missing in events of earlier versions. */
  act: z.object({ reason: z.string().nullable() }).optional(),
});
export const organisationSuspended = defineEvent('org.suspended.v1', 'org', {
  data: stopped,
  key: 'orgId',
  live: { room: 'organisation', resources: ['organisations'] },
  audit: ({ orgId: id, act }) =>
    act ? { act: 'organisation.suspended', target: { of: 'organisation', id, name: null }, reason: act.reason } : null,
  outside: ['version'],
});
export const organisationResumed = defineEvent('org.resumed.v1', 'org', {
  data: stopped,
  key: 'orgId',
  live: { room: 'organisation', resources: ['organisations'] },
  audit: ({ orgId: id, act }) =>
    act ? { act: 'organisation.resumed', target: { of: 'organisation', id, name: null } } : null,
  outside: ['version'],
});

/** A confirmed order raised the limit of seats, once. A null limit means no limit, and stays null. */
export const seatsRaised = defineEvent('org.seats-raised.v1', 'org', {
  data: z.object({ orgId, orderId, before: z.number().int().nullable(), after: z.number().int().nullable() }),
  key: 'orgId',
  identity: ['orderId'],
  live: null,
  audit: 'org.updated says it.',
  outside: ['orderId', 'before', 'after'],
});

export const platformOrganisationRoutes = {
  getPlatformOrganisation,
  provisionOrganisation,
  inviteFirstOwner,
  changeOrganisationStatus,
  changeSeatLimit,
  changeApproval,
  countUnapproved,
  approveAll,
  getOrganisationFacts,
};
