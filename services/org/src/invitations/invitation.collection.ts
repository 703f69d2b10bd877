import { groupId, invitationId, invitationKind, invitationStatus, locale, mailState, roleKey } from '@parley/contracts';
import { eventId, orgId, userId } from '@parley/protocol';
import { collection, type RowOf } from '@parley/platform/mongo';
import { z } from 'zod';

export const invitationRows = collection(
  'invitations',
  {
    _id: invitationId,
    orgId,
    kind: invitationKind,
    email: z.string().nullable(),
    label: z.string().nullable(),
    role: roleKey,
    groupIds: z.array(groupId),
    message: z.string().nullable(),
    locale,
    domain: z.string().nullable(),
    status: invitationStatus,
    /** Of the one secret that works: SHA-256. Until the mail is asked for it is that of one that nobody has. */
    tokenHash: z.string(),
    /** Counts the secrets: a mail that is resent is another one. */
    round: z.number(),
    inviterId: userId,
    inviterName: z.string(),
    /** Of the first owner, by a platform admin, who need not be a member. */
    isByPlatform: z.boolean(),
    places: z.number(),
    taken: z.number(),
    days: z.number(),
    createdAt: z.date(),
    /** Of the newest mail; null for a link, and in rows from before it was told. */
    mail: mailState.nullable(),
    /** In rows of 0.3.0: auth has yet to be asked for its mail. A migration queues these. */
    mailEventId: eventId.nullable().optional(),
    /** Whose link the inviter was shown, counted as `round`: such a link verifies no address (ADR 0036). */
    shownRound: z.number().nullable().optional(),
    openedAt: z.date().nullable(),
    endsAt: z.date(),
    /** When it was accepted, declined, revoked or expired. */
    endedAt: z.date().nullable(),
    version: z.number(),
  },
  {
    tenant: { organisation: 'orgId' },
    indexes: [
      { orgId: 1, status: 1, _id: -1 },
      { orgId: 1, status: 1, role: 1 },
      { email: 1, status: 1 },
      { status: 1, endsAt: 1 },
      [{ tokenHash: 1 }, { unique: true }],
      [
        { orgId: 1, email: 1 },
        { unique: true, partialFilterExpression: { status: 'pending', kind: 'mail' } },
      ],
    ],
  },
);
export type InvitationRow = RowOf<typeof invitationRows>;
