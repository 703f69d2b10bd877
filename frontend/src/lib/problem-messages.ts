import type { ProblemCode } from '@parley/protocol';
import { defineMessages } from 'react-intl';
import { billingProblemMessages } from './billing-problem-messages.ts';
import { chatProblemMessages } from './chat-problem-messages.ts';

const ofOtherServices = defineMessages({
  'platform.internal': {
    id: 'problem.platform.internal',
    defaultMessage:
      'Something failed on the server. It is in the server’s log under this trace. Try again; if it stays, tell your administrator.',
  },
  'platform.invalid-request': {
    id: 'problem.platform.invalid-request',
    defaultMessage: 'The server did not accept what was entered. Check the fields and send again.',
  },
  'platform.malformed-json': {
    id: 'problem.platform.malformed-json',
    defaultMessage: 'The server could not read the request. Reload the page and try again.',
  },
  'platform.body-too-large': {
    id: 'problem.platform.body-too-large',
    defaultMessage: 'This is larger than the server takes: 25 MB for files, 32,000 characters for messages. Send less.',
  },
  'platform.unsupported-media-type': {
    id: 'problem.platform.unsupported-media-type',
    defaultMessage: 'The server does not take this kind of content here. Reload the page and try again.',
  },
  'platform.not-found': {
    id: 'problem.platform.not-found',
    defaultMessage:
      'Nothing was found at this address, or you don’t have access. Check the link with the person who gave it to you.',
  },
  'platform.method-not-allowed': {
    id: 'problem.platform.method-not-allowed',
    defaultMessage: 'The server does not offer this action. This page may be older than the server: reload it.',
  },
  'platform.unauthenticated': {
    id: 'problem.platform.unauthenticated',
    defaultMessage: 'You are signed out, because the session ended. Sign in to go on; what you typed is kept.',
  },
  'platform.forbidden': {
    id: 'problem.platform.forbidden',
    defaultMessage: 'Your role in this organisation does not include this. An owner or admin can give you the right.',
  },
  'platform.rights-changed': {
    id: 'problem.platform.rights-changed',
    defaultMessage: 'Your rights in this organisation were changed just now. Try again.',
  },
  'platform.organisation-missing': {
    id: 'problem.platform.organisation-missing',
    defaultMessage: 'It is not clear which organisation this is for. Choose one in the top corner and try again.',
  },
  'platform.conflict': {
    id: 'problem.platform.conflict',
    defaultMessage:
      'Somebody changed this meanwhile, so your change was not saved over theirs. Look at the new state and change it again.',
  },
  'platform.query-too-broad': {
    id: 'problem.platform.query-too-broad',
    defaultMessage: 'This combination of filters would read too much. Remove one of them.',
  },
  'platform.rate-limited': {
    id: 'problem.platform.rate-limited',
    defaultMessage:
      'Too many tries in a short time. Wait {seconds, plural, =0 {a minute} one {# second} other {# seconds}}, then try again.',
  },
  'platform.address-not-allowed': {
    id: 'problem.platform.address-not-allowed',
    defaultMessage:
      'This address may not be called: it is on this machine or in a private network. A platform admin can allow it where the connection is tested, or use a public address.',
  },
  'platform.storage-full': {
    id: 'problem.platform.storage-full',
    defaultMessage:
      'The disk of the server is full, so nothing can be saved. Tell the people who run this installation, and try again later.',
  },
  'platform.unavailable': {
    id: 'problem.platform.unavailable',
    defaultMessage:
      'The service is not available now, probably because it is starting or stopping. Try again in a moment.',
  },
  'bff.upstream-unavailable': {
    id: 'problem.bff.upstream-unavailable',
    defaultMessage: 'A service of Parley did not answer. It may be restarting; try again in a moment.',
  },
  'bff.upstream-timeout': {
    id: 'problem.bff.upstream-timeout',
    defaultMessage: 'A service of Parley took too long to answer. It may be busy; try again in a moment.',
  },
  'bff.cross-site': {
    id: 'problem.bff.cross-site',
    defaultMessage:
      'The request did not come from this site, so it was refused. Open Parley at its own address and try again.',
  },
  'bff.not-by-key': {
    id: 'problem.bff.not-by-key',
    defaultMessage: 'An API key cannot do this. Sign in and do it in the browser.',
  },
  'auth.invalid-credentials': {
    id: 'problem.auth.invalid-credentials',
    defaultMessage: 'The email or password is incorrect. Check both and try again.',
  },
  'auth.registration-closed': {
    id: 'problem.auth.registration-closed',
    defaultMessage: 'Registration is closed here. Ask an administrator for an account.',
  },
  'auth.invitation-required': {
    id: 'problem.auth.invitation-required',
    defaultMessage: 'An account here needs an invitation. Ask an administrator for one.',
  },
  'auth.setup-token-invalid': {
    id: 'problem.auth.setup-token-invalid',
    defaultMessage:
      'The setup link is not valid any more: it was used, or Parley was started again since. Take the link of the last start.',
  },
  'auth.sign-in-again': {
    id: 'problem.auth.sign-in-again',
    defaultMessage: 'Enter your password to continue. Your last sign-in was more than 10 minutes ago.',
  },
  'auth.link-ended': {
    id: 'problem.auth.link-ended',
    defaultMessage:
      'The link no longer works: each link works once and for a short time, and only the newest one does.',
  },
  'auth.password-wrong': {
    id: 'problem.auth.password-wrong',
    defaultMessage: 'The present password is not right. Check it and try again.',
  },
  'auth.email-taken': {
    id: 'problem.auth.email-taken',
    defaultMessage: 'There’s already an account with this email address. Sign in with it, or use another address.',
  },
  'auth.password-too-common': {
    id: 'problem.auth.password-too-common',
    defaultMessage: 'This password is on the list of common passwords, so it is easy to guess. Choose another one.',
  },
  'auth.picture-unreadable': {
    id: 'problem.auth.picture-unreadable',
    defaultMessage:
      'This file can’t be read as a picture: it isn’t PNG, JPEG, WebP or GIF, whatever its name says, or it’s incomplete. Choose another one.',
  },
  'auth.picture-too-large': {
    id: 'problem.auth.picture-too-large',
    defaultMessage: 'The picture has more than 25 megapixels. Make it smaller, or choose another one.',
  },
  'auth.api-key-invalid': {
    id: 'problem.auth.api-key-invalid',
    defaultMessage: 'The API key does not work: it is not known, has expired or was revoked.',
  },
  'auth.api-keys-full': {
    id: 'problem.auth.api-keys-full',
    defaultMessage:
      "You've reached the limit of API keys in this organisation. Revoke one you no longer need, or ask a platform admin to raise the limit.",
  },
  'org.creation-not-allowed': {
    id: 'problem.org.creation-not-allowed',
    defaultMessage: 'Only platform admins create organisations here. Ask one of them.',
  },
  'org.too-many-organisations': {
    id: 'problem.org.too-many-organisations',
    defaultMessage:
      "You've reached the number of organisations that you can create. Ask a platform admin to create another one for you, or transfer ownership of one you no longer need.",
  },
  'org.slug-taken': {
    id: 'problem.org.slug-taken',
    defaultMessage: 'Another organisation has this URL name. Choose a different one.',
  },
  'org.organisation-not-found': {
    id: 'problem.org.organisation-not-found',
    defaultMessage:
      'You are not a member of this organisation, or it does not exist. Choose another one, or ask its owner to invite you.',
  },
  'org.last-owner': {
    id: 'problem.org.last-owner',
    defaultMessage: 'An organisation keeps at least one owner. Make somebody else an owner first.',
  },
  'org.beyond-own-rights': {
    id: 'problem.org.beyond-own-rights',
    defaultMessage: 'Nobody gives or takes rights that they do not have. Ask somebody who has them.',
  },
  'org.would-lock-out': {
    id: 'problem.org.would-lock-out',
    defaultMessage: 'You have this role: without this right you could not change roles any more. Ask another admin.',
  },
  'org.not-oneself': {
    id: 'problem.org.not-oneself',
    defaultMessage: 'This cannot be done to oneself. To go, leave the organisation under “Your organisations”.',
  },
  'org.seats-full': {
    id: 'problem.org.seats-full',
    defaultMessage: 'All seats are taken or held for open invitations. Free one, or ask for more.',
  },
  'org.member-not-found': {
    id: 'problem.org.member-not-found',
    defaultMessage: 'This person is not a member any more. Reload the list.',
  },
  'org.access-ended': {
    id: 'problem.org.access-ended',
    defaultMessage: 'An admin of this organisation ended your access. Sign in again to go on here.',
  },
  'org.membership-suspended': {
    id: 'problem.org.membership-suspended',
    defaultMessage: 'Your membership in this organisation is suspended. An owner or admin can say why and end it.',
  },
  'org.organisation-suspended': {
    id: 'problem.org.organisation-suspended',
    defaultMessage:
      'This organisation is suspended. Nothing is lost; the people who run this installation can say why and end it.',
  },
  'org.invitation-not-found': {
    id: 'problem.org.invitation-not-found',
    defaultMessage: 'This link isn’t an invitation. Copy all of it, or ask its sender for a new one.',
  },
  'org.invitation-ended': {
    id: 'problem.org.invitation-ended',
    defaultMessage: 'This invitation has expired. Ask its sender for a new one.',
  },
  'org.invitation-for-another': {
    id: 'problem.org.invitation-for-another',
    defaultMessage: 'This invitation is for another address. Use the account whose address got the email.',
  },
  'org.address-not-proven': {
    id: 'problem.org.address-not-proven',
    defaultMessage:
      'Your email address isn’t verified yet. Request a verification link in your profile, open it, then try again.',
  },
  'org.inviter-lost-right': {
    id: 'problem.org.inviter-lost-right',
    defaultMessage:
      'The person who sent this invitation can no longer invite people. Another admin can send a new one.',
  },
  'org.role-not-found': {
    id: 'problem.org.role-not-found',
    defaultMessage: 'This role was deleted meanwhile. Choose another one.',
  },
  'org.name-taken': {
    id: 'problem.org.name-taken',
    defaultMessage: 'There is one of this name already. Choose another name.',
  },
  'org.group-not-found': {
    id: 'problem.org.group-not-found',
    defaultMessage: 'This group was deleted meanwhile. Choose another one.',
  },
  'org.email-limit-reached': {
    id: 'problem.org.email-limit-reached',
    defaultMessage:
      'No invitation was sent: the limit of invitation emails in an hour is reached. Invite fewer people, try again later, or ask a platform admin to raise the limit.',
  },
  'org.message-not-allowed-yet': {
    id: 'problem.org.message-not-allowed-yet',
    defaultMessage:
      'No invitation was sent: a message needs a verified email address or an account that is a day old. Remove the message, or verify your address in your profile.',
  },
  'org.limit-reached': {
    id: 'problem.org.limit-reached',
    defaultMessage:
      'Your organisation has reached the limit. Delete one you no longer need, or ask a platform admin to raise the limit.',
  },
  'monitoring.person-not-found': {
    id: 'problem.monitoring.person-not-found',
    defaultMessage:
      'Nobody here has this pseudonym: the person has left, or it is one of another month. Look at the list again.',
  },
});

/**
 * Each says what happened, why, and what to do next. For the extraction of texts, and for tests: the browser knows them
 * by their ids, and this table is not in what it loads.
 */
export const problemMessages = { ...ofOtherServices, ...chatProblemMessages, ...billingProblemMessages } satisfies {
  [Code in ProblemCode]: { id: `problem.${Code}`; defaultMessage: string };
};
