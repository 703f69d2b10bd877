import type { ProblemCode } from '@parley/contracts';
import { useCallback } from 'react';
import { defineMessages } from 'react-intl';
import { NetworkError, ProblemError } from './http.ts';
import { useText } from './text.ts';

/** Each says what happened, why, and what to do next. */
const texts = defineMessages({
  'platform.internal': {
    id: 'problem.platform.internal',
    defaultMessage:
      'Something failed on the server. It is in the server’s log under this trace. Try again; if it stays, tell your administrator.',
  },
  'platform.invalid-request': {
    id: 'problem.platform.invalidRequest',
    defaultMessage: 'The server did not accept what was entered. Check the fields and send again.',
  },
  'platform.malformed-json': {
    id: 'problem.platform.malformedJson',
    defaultMessage: 'The server could not read the request. Reload the page and try again.',
  },
  'platform.body-too-large': {
    id: 'problem.platform.bodyTooLarge',
    defaultMessage: 'This is larger than the server takes: 25 MB for files, 32,000 characters for messages. Send less.',
  },
  'platform.unsupported-media-type': {
    id: 'problem.platform.unsupportedMediaType',
    defaultMessage: 'The server does not take this kind of content here. Reload the page and try again.',
  },
  'platform.not-found': {
    id: 'problem.platform.notFound',
    defaultMessage:
      'There is nothing at this address, or you may not see it. Check the link with the person who gave it to you.',
  },
  'platform.method-not-allowed': {
    id: 'problem.platform.methodNotAllowed',
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
    id: 'problem.platform.rightsChanged',
    defaultMessage: 'Your rights in this organisation were changed just now. Try again.',
  },
  'platform.organisation-missing': {
    id: 'problem.platform.organisationMissing',
    defaultMessage: 'It is not clear which organisation this is for. Choose one in the top corner and try again.',
  },
  'platform.conflict': {
    id: 'problem.platform.conflict',
    defaultMessage:
      'Somebody changed this meanwhile, so your change was not saved over theirs. Look at the new state and change it again.',
  },
  'platform.query-too-broad': {
    id: 'problem.platform.queryTooBroad',
    defaultMessage: 'This combination of filters would read too much. Remove one of them.',
  },
  'platform.rate-limited': {
    id: 'problem.platform.rateLimited',
    defaultMessage:
      'Too many tries in a short time. Wait {seconds, plural, =0 {a minute} one {# second} other {# seconds}}, then try again.',
  },
  'platform.address-not-allowed': {
    id: 'problem.platform.addressNotAllowed',
    defaultMessage:
      'This address may not be called: it is on this machine or in a private network. A platform admin can allow it with PARLEY_OUTBOUND_ALLOW, or use a public address.',
  },
  'platform.storage-full': {
    id: 'problem.platform.storageFull',
    defaultMessage:
      'The disk of the server is full, so nothing can be saved. Tell whoever runs this installation; once there is room, try again.',
  },
  'platform.unavailable': {
    id: 'problem.platform.unavailable',
    defaultMessage:
      'The service is not available now, probably because it is starting or stopping. Try again in a moment.',
  },
  'bff.upstream-unavailable': {
    id: 'problem.bff.upstreamUnavailable',
    defaultMessage: 'A service of Parley did not answer. It may be restarting; try again in a moment.',
  },
  'bff.upstream-timeout': {
    id: 'problem.bff.upstreamTimeout',
    defaultMessage: 'A service of Parley took too long to answer. It may be busy; try again in a moment.',
  },
  'bff.cross-site': {
    id: 'problem.bff.crossSite',
    defaultMessage:
      'The request did not come from this site, so it was refused. Open Parley at its own address and try again.',
  },
  'auth.invalid-credentials': {
    id: 'problem.auth.invalidCredentials',
    defaultMessage: 'E-mail or password is not right. Check both and try again.',
  },
  'auth.registration-closed': {
    id: 'problem.auth.registrationClosed',
    defaultMessage: 'Registration is closed here. Ask an administrator for an account.',
  },
  'auth.invitation-required': {
    id: 'problem.auth.invitationRequired',
    defaultMessage: 'An account here needs an invitation. Ask an administrator for one.',
  },
  'auth.setup-token-invalid': {
    id: 'problem.auth.setupTokenInvalid',
    defaultMessage:
      'The setup link is not valid any more: it was used, or Parley was started again since. Take the link of the last start.',
  },
  'auth.email-taken': {
    id: 'problem.auth.emailTaken',
    defaultMessage: 'There is an account with this e-mail already. Sign in with it, or use another address.',
  },
  'auth.password-too-common': {
    id: 'problem.auth.passwordTooCommon',
    defaultMessage: 'This password is on the list of common passwords, so it is easy to guess. Choose another one.',
  },
  'org.creation-not-allowed': {
    id: 'problem.org.creationNotAllowed',
    defaultMessage: 'Only platform admins create organisations here. Ask one of them.',
  },
  'org.slug-taken': {
    id: 'problem.org.slugTaken',
    defaultMessage: 'Another organisation has this short name. Choose another one.',
  },
  'org.organisation-not-found': {
    id: 'problem.org.organisationNotFound',
    defaultMessage:
      'You are not a member of this organisation, or it does not exist. Choose another one, or ask its owner to invite you.',
  },
  'org.last-owner': {
    id: 'problem.org.lastOwner',
    defaultMessage: 'An organisation keeps at least one owner. Make somebody else an owner first.',
  },
  'org.beyond-own-rights': {
    id: 'problem.org.beyondOwnRights',
    defaultMessage: 'Nobody gives or takes rights that they do not have. Ask somebody who has them.',
  },
  'org.would-lock-out': {
    id: 'problem.org.wouldLockOut',
    defaultMessage: 'You have this role: without this right you could not change roles any more. Ask another admin.',
  },
  'org.not-oneself': {
    id: 'problem.org.notOneself',
    defaultMessage: 'This cannot be done to oneself. To go, leave the organisation under “Your organisations”.',
  },
  'org.seats-full': {
    id: 'problem.org.seatsFull',
    defaultMessage: 'All seats are taken or held for open invitations. Free one, or ask for more.',
  },
  'org.member-not-found': {
    id: 'problem.org.memberNotFound',
    defaultMessage: 'This person is not a member any more. Reload the list.',
  },
  'org.membership-suspended': {
    id: 'problem.org.membershipSuspended',
    defaultMessage: 'Your membership in this organisation is suspended. An owner or admin can say why and end it.',
  },
  'org.invitation-not-found': {
    id: 'problem.org.invitationNotFound',
    defaultMessage: 'This link is no invitation. Copy it whole, or ask whoever sent it for a new one.',
  },
  'org.invitation-ended': {
    id: 'problem.org.invitationEnded',
    defaultMessage: 'This invitation is over. Whoever sent it can send a new one.',
  },
  'org.invitation-for-another': {
    id: 'problem.org.invitationForAnother',
    defaultMessage: 'This invitation is for another address. Use the account whose address got the mail.',
  },
  'org.address-not-proven': {
    id: 'problem.org.addressNotProven',
    defaultMessage: 'Your address is not proven yet. Open the link in the mail that was sent to it, then try again.',
  },
  'org.inviter-lost-right': {
    id: 'problem.org.inviterLostRight',
    defaultMessage:
      'The person who sent this invitation may no longer invite people. Another admin can send a new one.',
  },
  'org.role-not-found': {
    id: 'problem.org.roleNotFound',
    defaultMessage: 'This role was deleted meanwhile. Choose another one.',
  },
  'org.name-taken': {
    id: 'problem.org.nameTaken',
    defaultMessage: 'There is one of this name already. Choose another name.',
  },
  'org.group-not-found': {
    id: 'problem.org.groupNotFound',
    defaultMessage: 'This group was deleted meanwhile. Choose another one.',
  },
  'org.limit-reached': {
    id: 'problem.org.limitReached',
    defaultMessage: 'The organisation has as many of these as it may. Delete one that is not needed any more.',
  },
  'chat.conversation-not-found': {
    id: 'problem.chat.conversationNotFound',
    defaultMessage: 'This chat does not exist, was deleted, or belongs to somebody else.',
  },
  'chat.message-not-found': {
    id: 'problem.chat.messageNotFound',
    defaultMessage: 'This message is not there any more. Reload the chat to see its present state.',
  },
  'chat.generation-not-found': {
    id: 'problem.chat.generationNotFound',
    defaultMessage: 'This answer is not there any more. Reload the chat to see its present state.',
  },
  'chat.generation-running': {
    id: 'problem.chat.generationRunning',
    defaultMessage: 'An answer is being written in this chat. Wait until it ends, or stop it.',
  },
  'chat.model-not-found': {
    id: 'problem.chat.modelNotFound',
    defaultMessage: 'The chosen model is not offered any more. Choose another one and send again.',
  },
  'chat.provider-not-found': {
    id: 'problem.chat.providerNotFound',
    defaultMessage: 'This provider was removed meanwhile. Reload the list.',
  },
  'chat.provider-failed': {
    id: 'problem.chat.providerFailed',
    defaultMessage: 'The model server failed. Test the provider in the organisation settings, or choose another model.',
  },
  'chat.document-not-found': {
    id: 'problem.chat.documentNotFound',
    defaultMessage: 'This document is not there any more. Reload the list.',
  },
  'chat.document-type-not-supported': {
    id: 'problem.chat.documentTypeNotSupported',
    defaultMessage: 'This kind of file cannot be read yet. Use Markdown, plain text or HTML.',
  },
  'chat.document-empty': {
    id: 'problem.chat.documentEmpty',
    defaultMessage: 'The file is empty. Choose a file with text in it.',
  },
  'chat.document-limit-reached': {
    id: 'problem.chat.documentLimitReached',
    defaultMessage: 'The organisation holds as many passages as it may. Delete documents that are not needed any more.',
  },
  'chat.passage-not-found': {
    id: 'problem.chat.passageNotFound',
    defaultMessage: 'This passage is gone: its document was deleted or read again since.',
  },
} satisfies Record<ProblemCode, { id: string; defaultMessage: string }>);

/** Words for any failure of a call, and the trace to give to an administrator. */
export function useProblemText() {
  const { t } = useText();
  return useCallback(
    (error: unknown): { text: string; traceId: string | null } => {
      if (error instanceof ProblemError) {
        const message = texts[error.code] ?? texts['platform.internal'];
        return {
          text: t(message, { seconds: error.problem.retryAfterSeconds ?? 0 }),
          traceId: error.problem.traceId ?? null,
        };
      }
      if (error instanceof NetworkError) {
        return {
          text: t({
            id: 'problem.network.unreachable',
            defaultMessage: 'The server could not be reached. Check the connection; nothing that you typed is lost.',
          }),
          traceId: null,
        };
      }
      return { text: t(texts['platform.internal']), traceId: null };
    },
    [t],
  );
}
