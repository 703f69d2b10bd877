import { defineEvent, defineRoute, eventId, orgId, pageOf, pageQuery, timestamp, userId } from '@parley/protocol';
import { z } from 'zod';
import { invitationId, mailId } from '../../ids.ts';
import { emailAddress, locale } from '../../people.ts';
import { plainName } from '../../plain-text.ts';

/** What mails are about. Each exists in every language that a person may have. */
export const mailKind = z.enum([
  'password-reset',
  'password-changed',
  'link-shown',
  'name-revealed',
  'budget-reached',
  'invitation',
  'address-proof',
]);
export type MailKind = z.infer<typeof mailKind>;

/**
 * `waiting` until the mail server has taken it, then `sent`. `kept`: there is no mail server, a platform admin hands its
 * link over. `failed`: the server refuses it for good, or has not taken it in time.
 */
export const mailState = z.enum(['waiting', 'sent', 'kept', 'failed']);
export type MailState = z.infer<typeof mailState>;

/** Which invitation a mail is about, and which of its mails. */
export const mailedInvitation = z.strictObject({ orgId, invitationId, round: z.number().int() });

/** A mail without its words, which nobody but its recipient sees. */
export const mail = z.strictObject({
  id: mailId,
  to: z.string(),
  kind: mailKind,
  locale,
  state: mailState,
  /** How often it was tried. */
  attempts: z.number().int(),
  createdAt: timestamp,
  /** When it was sent, kept or given up; null while it waits. */
  doneAt: timestamp.nullable(),
  /** What the mail server said when it was tried last, in its own words; null where nothing went wrong. */
  failure: z.string().nullable(),
  /** Until when its link can be shown; null where it has none, or none that is still here. */
  linkEndsAt: timestamp.nullable(),
});
export type ListedMail = z.infer<typeof mail>;

/** How it goes with sending. */
export const mailDelivery = z.strictObject({
  /** Whether there is a mail server. Else links are handed over by a platform admin. */
  delivers: z.boolean(),
  waiting: z.number().int(),
  /** Since when the mail server has not taken what waits; null while all is well. */
  failingSince: timestamp.nullable(),
  /** What went wrong last, in the words of the server or the network. */
  failure: z.string().nullable(),
});
export type MailDelivery = z.infer<typeof mailDelivery>;

/** Newest first, of the last 30 days; `state` filters. */
export const listMails = defineRoute({
  service: 'auth',
  route: 'GET /api/auth/mails',
  scope: 'platform',
  cost: 'read',
  query: pageQuery.extend({ state: mailState.optional() }),
  response: pageOf(mail).extend({ delivery: mailDelivery }),
});

/**
 * The link of a mail, to be handed over; the recipient gets a mail that says who has seen it and why. 410
 * `auth.link-ended` when it has left with its mail, was used or has expired.
 */
export const showMailLink = defineRoute({
  service: 'auth',
  route: 'POST /api/auth/mails/:mailId/link',
  scope: 'platform',
  cost: 'outbound',
  params: z.strictObject({ mailId }),
  body: z.strictObject({ reason: plainName(300) }),
  response: z.strictObject({ link: z.string(), endsAt: timestamp }),
});

/**
 * Has an invitation mailed: for another service's handler of its own event. One event leads to one mail, however often
 * this is called, and to the same answer. The link is `<public address>/<language>/invitation#<token>`; the token is made
 * here, lies sealed until the mail is out, and the caller gets only its hash (SHA-256, base64url), to know it by. A
 * person who has an account is written to in the own language, anybody else in `locale`.
 */
export const queueInvitationMail = defineRoute({
  service: 'auth',
  route: 'POST /internal/auth/mails',
  scope: 'internal',
  body: z.strictObject({
    eventId,
    invitation: mailedInvitation,
    to: emailAddress,
    locale,
    organisation: plainName(120),
    inviter: plainName(120),
    /** For whom it is sent; absent where an earlier version asks. */
    inviterId: userId.optional(),
    /** When the link ends; the mail is given up a day after it was asked for, or then. */
    endsAt: timestamp,
    /** In the inviter's own words; absent where an earlier version asks. */
    message: z.string().max(500).nullish(),
  }),
  response: z.strictObject({ mailId, tokenHash: z.string() }),
});

/** So many invitations are asked for by one call of `makeInvitationLinks`. */
export const mostLinksAtOnce = 100;

/**
 * Where there is no mail server: keeps the mails of invitations, as `queueInvitationMail` does for the same events, and
 * returns their secrets, which the caller shows to the inviter once and stores nowhere. Where mails go out it does
 * nothing and returns none.
 */
export const makeInvitationLinks = defineRoute({
  service: 'auth',
  route: 'POST /internal/auth/invitation-links',
  scope: 'internal',
  body: z.strictObject({
    orgId,
    organisation: plainName(120),
    inviter: plainName(120),
    inviterId: userId,
    locale,
    message: z.string().max(500).nullable(),
    endsAt: timestamp,
    people: z
      .array(z.strictObject({ eventId, invitationId, round: z.number().int(), to: emailAddress }))
      .min(1)
      .max(mostLinksAtOnce),
  }),
  response: z.strictObject({
    links: z.array(z.strictObject({ invitationId, token: z.string(), tokenHash: z.string() })),
  }),
});

/** A mail is out of auth's hands, or given up. */
export const mailEnded = defineEvent('mail.ended.v1', 'auth', {
  data: z.object({
    mailId,
    kind: mailKind,
    state: mailState.exclude(['waiting']),
    /** Null in mails of other kinds. */
    invitation: mailedInvitation.nullable(),
  }),
  key: 'mailId',
  live: null,
  audit: 'Nobody acts.',
});
/** A platform admin was shown the link of a mail. */
export const mailRevealed = defineEvent('mail.revealed.v1', 'auth', {
  data: z.object({
    mailId,
    kind: mailKind,
    revealedBy: userId,
    reason: z.string(),
    /** Null in mails of other kinds. */
    invitation: mailedInvitation.nullish(),
  }),
  key: 'mailId',
  live: null,
  audit: ({ invitation, revealedBy: by, reason }) =>
    invitation
      ? {
          act: 'invitation.link-shown',
          by,
          target: { of: 'invitation', id: invitation.invitationId, name: null },
          reason,
          in: { orgId: invitation.orgId },
        }
      : null,
});

export const mailRoutes = { listMails, showMailLink, queueInvitationMail, makeInvitationLinks };
