import { defineRoute, orgId, pageOf, pageQuery, patience, timestamp, userId } from '@parley/protocol';
import { z } from 'zod';
import { groupId, invitationId } from '../../ids.ts';
import { emailAddress, locale } from '../../people.ts';
import { plainName } from '../../plain-text.ts';
import { roleKey } from '../../roles.ts';
import { mailState } from '../auth/mails.ts';
import { organisation } from './organisations.ts';

/** Limits the people that one call can invite or check. */
export const mostInvited = 500;

/** `mail`: works once, for its address. `link`: works several times, for anyone who has it. */
export const invitationKind = z.enum(['mail', 'link']);
/** pending → accepted | declined | revoked | expired. A link stays pending until all its uses are taken. */
export const invitationStatus = z.enum(['pending', 'accepted', 'declined', 'revoked', 'expired']);

/** An invitation as admins see it. Its secret is not shown again. */
export const invitation = z.strictObject({
  id: invitationId,
  kind: invitationKind,
  /** The email address of the invited person; null for a link. */
  email: z.string().nullable(),
  /** The admins' name for a link; null for an email. */
  label: z.string().nullable(),
  role: roleKey,
  groupIds: z.array(groupId).readonly(),
  status: invitationStatus,
  invitedBy: z.strictObject({ userId, name: z.string() }),
  /** Only verified addresses of this domain can use the link; null: everyone who has it. */
  domain: z.string().nullable(),
  /** Two counts: the people who can join by the invitation, and those who have joined (`taken`). */
  places: z.number().int(),
  taken: z.number().int(),
  createdAt: timestamp,
  /** The state of its email; null for a link. */
  mail: mailState.nullable(),
  openedAt: timestamp.nullable(),
  endsAt: timestamp,
  version: z.number().int(),
});
export type Invitation = z.infer<typeof invitation>;

/** The inviter's own text, in the email and on the invitation page. */
const message = z.string().trim().max(500).nullable();
/**
 * The secret of an invitation that isn't sent by email, for the inviter to pass on. Only this response has it.
 * Accepting by a shown link doesn't verify the address (ADR 0036).
 */
export const shownLink = z.strictObject({ invitationId, token: z.string() });
export type ShownLink = z.infer<typeof shownLink>;
const groupIds = z.array(groupId).max(20);
const days = z.number().int().min(1).max(90).default(7);
const invite = { service: 'org', scope: 'organisation', permission: 'member:invite' } as const;
const links = { service: 'org', scope: 'organisation', permission: 'invite_link:manage' } as const;
const one = z.strictObject({ invitationId });
/** 256 random bits in the fragment of the link, which browsers don't send. */
const invitationToken = z.string().min(1).max(200);
const withToken = z.strictObject({ token: invitationToken });

/** Lists open invitations, newest first. */
export const listInvitations = defineRoute({
  ...invite,
  route: 'GET /api/org/invitations',
  cost: 'read',
  query: pageQuery,
  response: pageOf(invitation),
});

/** `taken`: someone else used the id of the invitation, or the room for it, during the call. */
export const addressVerdict = z.enum(['fine', 'malformed', 'twice', 'member', 'invited', 'taken']);
export type AddressVerdict = z.infer<typeof addressVerdict>;

/** Returns for each line what would happen to it, before anything is sent. `seatsLeft` is null without a limit. */
export const checkAddresses = defineRoute({
  ...invite,
  route: 'POST /api/org/invitations/report',
  cost: 'report',
  body: z.strictObject({ lines: z.array(z.string().max(400)).min(1).max(mostInvited) }),
  response: z.strictObject({
    lines: z.array(z.strictObject({ address: z.string(), verdict: addressVerdict })),
    seatsLeft: z.number().int().nullable(),
  }),
});

/**
 * Sends each address its own invitation email. Each invitation holds a seat. Without seats for all when the call begins,
 * nobody is invited. `leftOut` lists members, addresses already invited, and those whose id or seat another call took meanwhile.
 * Without a mail server the answer has the links.
 * Idempotent: repeated ids return the same and show no link again. 429 `org.email-limit-reached` above the limit of
 * emails in an hour. 403 `org.message-not-allowed-yet` for a message from a person whose account is less than a day old
 * and whose address is not verified.
 */
export const invitePeople = defineRoute({
  ...invite,
  route: 'POST /api/org/invitations',
  cost: 'bulk',
  tellsNetwork: true,
  // Waits long: only this response has the links, up to 500, and the machine can be busy.
  patienceMs: patience.long,
  status: 201,
  body: z.strictObject({
    people: z
      .array(z.strictObject({ id: invitationId, email: emailAddress }))
      .min(1)
      .max(mostInvited),
    role: roleKey,
    groupIds,
    message,
    locale,
    days,
  }),
  response: z.strictObject({
    items: z.array(invitation),
    leftOut: z.array(z.strictObject({ email: z.string(), verdict: addressVerdict })),
    /** Links of new invitations, without a mail server; else empty. Missing in an earlier version. */
    links: z.array(shownLink).optional(),
  }),
});

/** Creates a link. Only this response has its secret. 409 for a repeated id. */
export const createInvitationLink = defineRoute({
  ...links,
  route: 'POST /api/org/invitation-links',
  cost: 'write',
  status: 201,
  body: z.strictObject({
    id: invitationId,
    label: plainName(60),
    role: roleKey,
    groupIds,
    domain: z
      .string()
      .trim()
      .toLowerCase()
      .max(253)
      .regex(/^(?:[a-z0-9](?:[a-z0-9-]{0,61}[a-z0-9])?\.)+[a-z0-9-]{2,63}$/, 'a domain such as example.org')
      .nullable(),
    places: z.number().int().min(1).max(10_000),
    days,
  }),
  response: z.strictObject({ invitation, token: z.string() }),
});
/** Gives an invitation link a new secret; the old one stops working. */
export const replaceInvitationLink = defineRoute({
  ...links,
  route: 'POST /api/org/invitation-links/:invitationId/secret',
  cost: 'write',
  params: one,
  body: z.strictObject({ version: z.number().int() }),
  response: z.strictObject({ invitation, token: z.string() }),
});

/**
 * Sends a new link by email, valid for as long as the first one was, and ends the old one. Without a mail server the
 * response has the new link.
 */
export const resendInvitation = defineRoute({
  ...invite,
  route: 'POST /api/org/invitations/:invitationId/resend',
  cost: 'outbound',
  tellsNetwork: true,
  params: one,
  body: z.strictObject({ version: z.number().int() }),
  response: invitation.extend({ link: shownLink.nullish() }),
});
/** Revokes an invitation by email or link. Idempotent. */
export const revokeInvitation = defineRoute({
  ...invite,
  route: 'DELETE /api/org/invitations/:invitationId',
  cost: 'write',
  status: 204,
  params: one,
});

const offer = {
  kind: invitationKind,
  organisation: z.string(),
  inviter: z.string(),
  role: roleKey,
  roleName: z.string().nullable(),
  groups: z.array(z.string()),
  message: z.string().nullable(),
  createdAt: timestamp,
  endsAt: timestamp,
};
/** States that hide the names of organisation and person: the invitation has ended, or is for somebody else. */
const ended = [
  z.strictObject({ state: z.literal('expired'), at: timestamp }),
  z.strictObject({ state: z.literal('revoked'), at: timestamp }),
  z.strictObject({ state: z.literal('used'), at: timestamp }),
  z.strictObject({ state: z.literal('other-account') }),
] as const;
export const invitationView = z.discriminatedUnion('state', [
  z.strictObject({
    state: z.literal('open'),
    ...offer,
    /** The email address of the invited person; null for a link. */
    email: z.string().nullable(),
    /** True if that address has an account; null for a link, and if the link was shown to the inviter. */
    hasAccount: z.boolean().nullable(),
    domain: z.string().nullable(),
  }),
  z.strictObject({
    state: z.literal('seats-full'),
    organisation: z.string(),
    seats: z.number().int(),
    endsAt: timestamp,
  }),
  z.strictObject({ state: z.literal('inviter-lost-right'), organisation: z.string() }),
  z.strictObject({ state: z.literal('suspended'), organisation: z.string() }),
  z.strictObject({ state: z.literal('joined'), organisation: z.string(), orgId }),
  ...ended,
]);
export type InvitationView = z.infer<typeof invitationView>;

const visitors = { service: 'org', scope: 'public', cost: 'secret', body: withToken } as const;
const own = { service: 'org', scope: 'person', cost: 'secret', body: withToken } as const;

/** Returns the invitation of a visitor's link. 404 `org.invitation-not-found` for an unknown secret. */
export const viewInvitation = defineRoute({
  ...visitors,
  route: 'POST /api/org/invitations/view',
  response: invitationView,
});
/** Returns the same as `viewInvitation` for a signed-in person, and two more states: `other-account` and `joined`. */
export const viewMyInvitation = defineRoute({
  ...own,
  route: 'POST /api/org/my-invitations/view',
  response: invitationView,
});

/**
 * Accepts an invitation. One sent by email is for the account of its address only; a link with a domain is for verified
 * addresses of that domain. The inviter must still have the permission, and the organisation not be suspended
 * (`org.organisation-suspended`). Creates one membership and takes one seat, also if called several times at once.
 */
export const acceptInvitation = defineRoute({
  ...own,
  route: 'POST /api/org/my-invitations/accept',
  response: organisation,
});
/** Declines an invitation by email. Idempotent. */
export const declineInvitation = defineRoute({ ...visitors, route: 'POST /api/org/invitations/decline', status: 204 });

/** Lists open invitations to the person's address if it is verified; none if it isn't. */
export const listMyInvitations = defineRoute({
  service: 'org',
  scope: 'person',
  cost: 'read',
  route: 'GET /api/org/my-invitations',
  response: z.strictObject({ items: z.array(z.strictObject({ id: invitationId, ...offer })) }),
});
/** Accepts an invitation without the link, for the verified address that was invited. */
export const acceptMyInvitation = defineRoute({
  service: 'org',
  scope: 'person',
  cost: 'write',
  route: 'POST /api/org/my-invitations/:invitationId/accept',
  params: one,
  response: organisation,
});

/** Returns an open invitation, for auth, when someone registers by it. 404 `org.invitation-not-found` otherwise. */
export const checkInvitation = defineRoute({
  service: 'org',
  scope: 'internal',
  route: 'POST /internal/org/invitations/check',
  body: withToken,
  response: z.strictObject({
    email: z.string().nullable(),
    /** The most people who can register by the invitation, and its end; missing in responses of an earlier version. */
    maxUses: z.number().int().optional(),
    endsAt: timestamp.optional(),
    /** Id and name of the organisation; missing in responses of an earlier version. */
    orgId: orgId.optional(),
    organisation: z.string().optional(),
    /** True if the secret verifies `email` (ADR 0036); missing (false) in responses of an earlier version. */
    provesAddress: z.boolean().optional(),
  }),
});

export const invitationRoutes = {
  listInvitations,
  checkAddresses,
  invitePeople,
  createInvitationLink,
  replaceInvitationLink,
  resendInvitation,
  revokeInvitation,
  viewInvitation,
  viewMyInvitation,
  acceptInvitation,
  declineInvitation,
  listMyInvitations,
  acceptMyInvitation,
  checkInvitation,
};
