import { defineEvent, defineRoute, eventId, orgId, pageOf, pageQuery, timestamp, userId } from '@parley/protocol';
import { z } from 'zod';
import { invitationId, mailId } from '../../ids.ts';
import { emailAddress, locale } from '../../people.ts';
import { plainName } from '../../plain-text.ts';

/** Lists the kinds of emails. Each exists in every language of Parley. */
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
 * `waiting` until the mail server accepts the email, then `sent`. `kept`: without a mail server, a platform admin
 * passes its link on. `failed`: the server refused the email for good or didn't accept it in time.
 */
export const mailState = z.enum(['waiting', 'sent', 'kept', 'failed']);
export type MailState = z.infer<typeof mailState>;

/** Names the invitation of an email, and which of its emails this is. */
export const mailedInvitation = z.strictObject({ orgId, invitationId, round: z.number().int() });

/** An email without its text, which only the recipient sees. */
export const mail = z.strictObject({
  id: mailId,
  to: z.string(),
  kind: mailKind,
  locale,
  state: mailState,
  /** Number of attempts to send it. */
  attempts: z.number().int(),
  createdAt: timestamp,
  /** When it was sent, kept or given up; null while it waits. */
  doneAt: timestamp.nullable(),
  /** The last error of the mail server, in its own words; null if there was none. */
  failure: z.string().nullable(),
  /** Until when its link can be shown; null without a link, or when the link is gone. */
  linkEndsAt: timestamp.nullable(),
});
export type ListedMail = z.infer<typeof mail>;

/** Says whether sending emails works. */
export const mailDelivery = z.strictObject({
  /** True if there is a mail server. Without one platform admins pass links on. */
  delivers: z.boolean(),
  waiting: z.number().int(),
  /** Since when the mail server accepts nothing; null while it works. */
  failingSince: timestamp.nullable(),
  /** The last error, in the words of the server or the network. */
  failure: z.string().nullable(),
});
export type MailDelivery = z.infer<typeof mailDelivery>;

/** Lists emails of the last 30 days, newest first. `state` filters. */
export const listMails = defineRoute({
  service: 'auth',
  route: 'GET /api/auth/mails',
  scope: 'platform',
  cost: 'read',
  query: pageQuery.extend({ state: mailState.optional() }),
  response: pageOf(mail).extend({ delivery: mailDelivery }),
});

/**
 * Returns the link of an email for a platform admin to pass on. The recipient gets an email that says who saw it and
 * why. 410 `auth.link-ended` if it is used, expired, or was deleted with its email.
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
 * Queues the email of an invitation. Another service calls it in a handler of its own event. Idempotent: one event
 * gives one email and the same response. The link is `<public address>/<language>/invitation#<token>`. Auth makes the
 * token and keeps it sealed until the email is sent; the caller gets its hash (SHA-256, base64url). A person with an
 * account gets it in their language, anyone else in `locale`.
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
    /** The person who invites; missing in requests of an earlier version. */
    inviterId: userId.optional(),
    /** When the link ends. The email is given up then, or a day after the request. */
    endsAt: timestamp,
    /** The inviter's own text; missing in requests of an earlier version. */
    message: z.string().max(500).nullish(),
  }),
  response: z.strictObject({ mailId, tokenHash: z.string() }),
});

/** The most invitations in one call of `makeInvitationLinks`. */
export const mostLinksAtOnce = 100;

/**
 * Without a mail server: keeps emails of invitations, as `queueInvitationMail` does for the same events, and returns
 * their secrets. The caller shows the secrets to the inviter once and doesn't store them. With a mail server: does
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

/** An email was sent, kept or given up. */
export const mailEnded = defineEvent('mail.ended.v1', 'auth', {
  data: z.object({
    mailId,
    kind: mailKind,
    state: mailState.exclude(['waiting']),
    /** Null for other kinds of emails. */
    invitation: mailedInvitation.nullable(),
  }),
  key: 'mailId',
  live: null,
  audit: 'Nobody acts.',
});
/** A platform admin saw the link of an email. */
export const mailRevealed = defineEvent('mail.revealed.v1', 'auth', {
  data: z.object({
    mailId,
    kind: mailKind,
    revealedBy: userId,
    reason: z.string(),
    /** Null for other kinds of emails. */
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
