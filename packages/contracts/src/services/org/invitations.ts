import { defineRoute, orgId, pageOf, pageQuery, patience, timestamp, userId } from '@parley/protocol';
import { z } from 'zod';
import { groupId, invitationId } from '../../ids.ts';
import { emailAddress, locale } from '../../people.ts';
import { plainName } from '../../plain-text.ts';
import { roleKey } from '../../roles.ts';
import { mailState } from '../auth/mails.ts';
import { organisation } from './organisations.ts';

/** So many people are invited by one call. */
export const mostInvited = 500;

/** Of a mail: once for its address. Of a link: for whoever has it, several times. */
export const invitationKind = z.enum(['mail', 'link']);
/** pending → accepted | declined | revoked | expired. A link stays pending until all its places are taken. */
export const invitationStatus = z.enum(['pending', 'accepted', 'declined', 'revoked', 'expired']);

/** As admins see it; nobody sees its secret again. */
export const invitation = z.strictObject({
  id: invitationId,
  kind: invitationKind,
  /** Whom it was mailed to; null for a link. */
  email: z.string().nullable(),
  /** What admins call a link; null for a mail. */
  label: z.string().nullable(),
  role: roleKey,
  groupIds: z.array(groupId).readonly(),
  status: invitationStatus,
  invitedBy: z.strictObject({ userId, name: z.string() }),
  /** Only for proven addresses of this domain; null for everybody who has the link. */
  domain: z.string().nullable(),
  /** How many may join by it, and have. */
  places: z.number().int(),
  taken: z.number().int(),
  createdAt: timestamp,
  /** How it goes with its mail; null for a link. */
  mail: mailState.nullable(),
  openedAt: timestamp.nullable(),
  endsAt: timestamp,
  version: z.number().int(),
});
export type Invitation = z.infer<typeof invitation>;

/** What the inviter adds in person; it is in the mail and on the invitation page. */
const message = z.string().trim().max(500).nullable();
/**
 * The secret of an invitation whose mail does not go out, for whoever made it to hand over. It is in this one answer and
 * nowhere else afterwards, and an address whose link was shown is not verified by it (ADR 0036).
 */
export const shownLink = z.strictObject({ invitationId, token: z.string() });
export type ShownLink = z.infer<typeof shownLink>;
const groupIds = z.array(groupId).max(20);
const days = z.number().int().min(1).max(90).default(7);
const invite = { service: 'org', scope: 'organisation', permission: 'member:invite' } as const;
const links = { service: 'org', scope: 'organisation', permission: 'invite_link:manage' } as const;
const one = z.strictObject({ invitationId });
/** 256 random bits in the link's fragment, which browsers send to nobody. */
const invitationToken = z.string().min(1).max(200);
const withToken = z.strictObject({ token: invitationToken });

/** Those that are open, newest first. */
export const listInvitations = defineRoute({
  ...invite,
  route: 'GET /api/org/invitations',
  cost: 'read',
  query: pageQuery,
  response: pageOf(invitation),
});

/** `taken`: somebody else used the id of the invitation during the call. */
export const addressVerdict = z.enum(['fine', 'malformed', 'twice', 'member', 'invited', 'taken']);
export type AddressVerdict = z.infer<typeof addressVerdict>;

/** What would happen to each line, before anything is sent. `seatsLeft` is null without a limit. */
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
 * Sends each address its own invitation email. Each invitation holds a seat; without seats for all, nobody is invited.
 * Skips members, addresses already invited and ids that someone else took during the call, and lists them in `leftOut`.
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
  // Links come with this answer only: 500 of them on a machine that is busy.
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
    /** Of those that this very call made, where there is no mail server; else empty. Absent where an earlier version answers. */
    links: z.array(shownLink).optional(),
  }),
});

/** Makes a link; its secret is in this answer and nowhere else afterwards. Repeating it with the same id: 409. */
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
/** A new secret for the same link: the old one is dead. */
export const replaceInvitationLink = defineRoute({
  ...links,
  route: 'POST /api/org/invitation-links/:invitationId/secret',
  cost: 'write',
  params: one,
  body: z.strictObject({ version: z.number().int() }),
  response: z.strictObject({ invitation, token: z.string() }),
});

/**
 * Mails a new link for as long as the first one was good for, and kills the old one. Without a mail server the answer
 * has the new link.
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
/** Ends a mail's or a link's invitation. Repeating it is harmless. */
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
/** Ended ones name no organisation and no person; neither does one that is for somebody else. */
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
    /** Whom it was mailed to; null for a link. */
    email: z.string().nullable(),
    /** Whether there is an account for that address; null for a link, and where the inviter was shown the link. */
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

/** What the link in the visitor's hand is. 404 `org.invitation-not-found` for a secret that is none. */
export const viewInvitation = defineRoute({
  ...visitors,
  route: 'POST /api/org/invitations/view',
  response: invitationView,
});
/** The same for somebody who is signed in: `other-account` and `joined` are told by it. */
export const viewMyInvitation = defineRoute({
  ...own,
  route: 'POST /api/org/my-invitations/view',
  response: invitationView,
});

/**
 * Joins. A mail's is for the account of its address only, a link's with a domain for proven addresses of it; the inviter
 * must still have the right, and the organisation not be suspended (`org.organisation-suspended`). One membership, one seat, however often and by how many it is tried at once.
 */
export const acceptInvitation = defineRoute({
  ...own,
  route: 'POST /api/org/my-invitations/accept',
  response: organisation,
});
/** Says no to a mail's invitation. Repeating it is harmless. */
export const declineInvitation = defineRoute({ ...visitors, route: 'POST /api/org/invitations/decline', status: 204 });

/** Open ones for my address, once it is proven; else none. */
export const listMyInvitations = defineRoute({
  service: 'org',
  scope: 'person',
  cost: 'read',
  route: 'GET /api/org/my-invitations',
  response: z.strictObject({ items: z.array(z.strictObject({ id: invitationId, ...offer })) }),
});
/** Joins without the link: for the proven address that was invited. */
export const acceptMyInvitation = defineRoute({
  service: 'org',
  scope: 'person',
  cost: 'write',
  route: 'POST /api/org/my-invitations/:invitationId/accept',
  params: one,
  response: organisation,
});

/** For auth, when somebody registers by an invitation. 404 `org.invitation-not-found` unless it is open. */
export const checkInvitation = defineRoute({
  service: 'org',
  scope: 'internal',
  route: 'POST /internal/org/invitations/check',
  body: withToken,
  response: z.strictObject({
    email: z.string().nullable(),
    /** How many can register by it, and until when it is open; both absent where an earlier version answers. */
    maxUses: z.number().int().optional(),
    endsAt: timestamp.optional(),
    /** The organisation's id, and what it is called; absent where an earlier version answers. */
    orgId: orgId.optional(),
    organisation: z.string().optional(),
    /** Whether the secret verifies `email` (ADR 0036); absent, as false, where an earlier version answers. */
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
