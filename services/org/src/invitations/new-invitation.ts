import { invitationMailRequested, type InvitationId, type PersonPrincipal } from '@parley/contracts';
import { hashSecret, randomSecret } from '@parley/platform/crypto';
import { derivedId } from '@parley/platform/ids';
import type { Transaction } from '@parley/platform/mongo';
import type { EventId, OrgId } from '@parley/protocol';
import type { InvitationRow } from './invitation.collection.ts';
import { endOf } from './invitation.ts';

/** What whoever invites decides. */
export type Wanted = Pick<InvitationRow, '_id' | 'kind' | 'email' | 'label' | 'role' | 'groupIds' | 'message'> &
  Pick<InvitationRow, 'locale' | 'domain' | 'places' | 'days'>;

/** Not sent yet, with a secret that nobody has. */
export function newInvitation(
  orgId: OrgId,
  inviter: PersonPrincipal,
  { now, ...wanted }: Wanted & Pick<InvitationRow, 'isByPlatform'> & { readonly now: Date },
): InvitationRow {
  return {
    ...wanted,
    groupIds: [...new Set(wanted.groupIds)],
    orgId,
    status: 'pending',
    tokenHash: hashSecret(randomSecret()),
    round: 1,
    inviterId: inviter.userId,
    inviterName: inviter.name,
    taken: 0,
    createdAt: now,
    mail: wanted.kind === 'mail' ? 'waiting' : null,
    openedAt: null,
    endsAt: endOf(now, wanted.days),
    endedAt: null,
    version: 1,
  };
}

/** The event that auth knows its mail by: the same one whoever asks for the mail, and however often. */
export const mailEventOf = (id: InvitationId, round: number): EventId => derivedId('event', [id, round]);

/** Has their mails written, by turns. */
export function requestMails(tx: Transaction, rows: readonly InvitationRow[], did: 'invited' | 'resent'): void {
  for (const { orgId, _id: invitationId, round, role } of rows)
    tx.record(invitationMailRequested, { orgId, invitationId, round, act: { did, role } });
}
