import { invitationId, locale, mailedInvitation, mailId, mailKind, mailState } from '@parley/contracts';
import { orgId, userId } from '@parley/protocol';
import { collection } from '@parley/platform/mongo';
import { z } from 'zod';

/** Each mail. Its words are composed when it goes out; until then what they are made of is sealed. */
export const mailRows = collection(
  'mails',
  {
    /** Follows from the event that caused it: one event has one mail. */
    _id: mailId,
    to: z.string(),
    kind: mailKind,
    locale,
    /** For which organisation, and for whom in it, it is sent; nothing of mails about an account, and in rows of earlier versions. */
    orgId: orgId.nullish(),
    person: userId.nullish(),
    state: mailState,
    attempts: z.number(),
    /** Later than that it is of no use any more. */
    giveUpAt: z.date(),
    /** Content and token; null as soon as it is out, or nobody can use it any more. */
    sealed: z.string().nullable(),
    tokenHash: z.string().nullable(),
    /** What it is about, for who is told how it ended; nothing in rows of the first version. */
    invitation: mailedInvitation.nullish(),
    /** The same invitation, to find its mails by; nothing in rows of earlier versions whose links are gone. */
    invitationId: invitationId.nullish(),
    /** Null in mails without a link, and when it is over. */
    linkEndsAt: z.date().nullable(),
    failure: z.string().nullable(),
    failingSince: z.date().nullable(),
    createdAt: z.date(),
    doneAt: z.date().nullable(),
  },
  {
    tenant: 'platform',
    indexes: [
      { createdAt: -1, _id: -1 },
      { state: 1, createdAt: -1, _id: -1 },
      { state: 1, failingSince: 1 },
      { state: 1, linkEndsAt: 1 },
      [{ invitationId: 1 }, { sparse: true }],
      [{ createdAt: 1 }, { expireAfterSeconds: 30 * 24 * 3600 }],
    ],
  },
);
