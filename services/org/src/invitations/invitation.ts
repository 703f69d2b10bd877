import { emailAddress, type AddressVerdict, type Invitation } from '@parley/contracts';
import type { InvitationRow } from './invitation.collection.ts';

const dayMs = 24 * 3_600_000;

export const endOf = (now: Date, days: number): Date => new Date(now.getTime() + days * dayMs);

/** Whether somebody may still join by it. */
export const isOpen = (row: InvitationRow, now: Date): boolean =>
  row.status === 'pending' && row.endsAt > now && row.taken < row.places;

/** Whether the inviter was shown the link that works now. */
export const isShown = ({ round, shownRound }: InvitationRow): boolean => shownRound === round;

/**
 * Whether accepting verifies the address: only somebody who reads its mail can have the link (ADR 0036). Platform admins,
 * who can show it in the mail log, are trusted with it.
 */
export const provesAddress = (row: InvitationRow): boolean =>
  row.kind === 'mail' && row.mail === 'sent' && !isShown(row);

/** As admins see it. */
export function toInvitation(row: InvitationRow): Invitation {
  const { _id: id, kind, email, label, role, groupIds, status, domain, places, taken, version } = row;
  return {
    id,
    kind,
    email,
    label,
    role,
    groupIds,
    status,
    invitedBy: { userId: row.inviterId, name: row.inviterName },
    domain,
    places,
    taken,
    createdAt: row.createdAt.toISOString(),
    mail: row.mail ?? (kind === 'mail' ? 'sent' : null),
    openedAt: row.openedAt?.toISOString() ?? null,
    endsAt: row.endsAt.toISOString(),
    version,
  };
}

/** What each line is, by the order of the lines; what only the organisation knows is asked of it. */
export function verdicts(
  lines: readonly string[],
  known: { readonly members: ReadonlySet<string>; readonly invited: ReadonlySet<string> },
): { address: string; verdict: AddressVerdict }[] {
  const seen = new Set<string>();
  return lines.map((line) => {
    const parsed = emailAddress.safeParse(line);
    if (!parsed.success) return { address: line, verdict: 'malformed' };
    const address = parsed.data;
    if (seen.has(address)) return { address, verdict: 'twice' };
    seen.add(address);
    if (known.members.has(address)) return { address, verdict: 'member' };
    return { address, verdict: known.invited.has(address) ? 'invited' : 'fine' };
  });
}

/** Whether the address belongs to the domain of a link; every address does where it names none. */
export const isOfDomain = (email: string, domain: string | null): boolean =>
  domain === null || email.endsWith(`@${domain}`);
