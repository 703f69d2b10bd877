import type { Invitation, Member } from '@parley/contracts';
import type { UserId } from '@parley/protocol';

export type PeopleFilters = {
  readonly text: string | null;
  readonly role: string | null;
  readonly groupId: string | null;
  readonly status: Member['status'] | null;
};

/** One row of the table: the head of a group, somebody who is not a member yet, where more come from, or a member. */
export type PeopleRow =
  | { readonly id: string; readonly kind: 'group'; readonly group: 'invited' | 'members'; readonly count: string }
  | { readonly id: string; readonly kind: 'invitation'; readonly invitation: Invitation }
  | { readonly id: 'more'; readonly kind: 'more' }
  | { readonly id: string; readonly kind: 'member'; readonly member: Member; readonly isNew: boolean };

const wordsOf = (text: string): string[] =>
  text
    .normalize('NFKD')
    .replaceAll(/\p{M}+/gu, '')
    .toLowerCase()
    .split(/[^\p{L}\p{N}]+/u)
    .filter((word) => word !== '');

/** As the server filters members: each word begins one of the address or the label. Nobody invited has a state. */
export function fits(invitation: Invitation, { text, role, groupId, status }: PeopleFilters): boolean {
  if (status !== null) return false;
  if (role !== null && invitation.role !== role) return false;
  if (groupId !== null && !invitation.groupIds.some((id) => id === groupId)) return false;
  const words = wordsOf(`${invitation.email ?? ''} ${invitation.label ?? ''}`);
  return wordsOf(text ?? '').every((asked) => words.some((word) => word.startsWith(asked)));
}

type People = {
  readonly invitations: readonly Invitation[];
  readonly hasMoreInvitations: boolean;
  readonly members: readonly Member[];
  readonly hasMoreMembers: boolean;
  /** Members who came in just now: they stand where they were invited for a moment. */
  readonly arrived: ReadonlySet<UserId>;
  /** How many members there are in all, where no filter leaves any out. */
  readonly memberCount: number | null;
};

/** Open invitations first, then members, each under a head with its number; `+` where more may come. */
export function rowsOf(people: People, number: (value: number) => string): PeopleRow[] {
  const { invitations, hasMoreInvitations, members, hasMoreMembers, arrived, memberCount } = people;
  const counted = (count: number, hasMore: boolean) => `${number(count)}${hasMore ? '+' : ''}`;
  const row = (member: Member, isNew: boolean): PeopleRow => ({ id: member.userId, kind: 'member', member, isNew });
  const joining = members.filter(({ userId }) => arrived.has(userId));
  const staying = members.filter(({ userId }) => !arrived.has(userId));
  const rows: PeopleRow[] = [];
  const invitedCount = joining.length + invitations.length;
  if (invitedCount > 0 || hasMoreInvitations) {
    rows.push({ id: 'invited', kind: 'group', group: 'invited', count: counted(invitedCount, hasMoreInvitations) });
    rows.push(...joining.map((member) => row(member, true)));
    rows.push(...invitations.map((invitation): PeopleRow => ({ id: invitation.id, kind: 'invitation', invitation })));
    if (hasMoreInvitations) rows.push({ id: 'more', kind: 'more' });
  }
  if (staying.length > 0) {
    const count = memberCount === null ? counted(staying.length, hasMoreMembers) : number(memberCount);
    rows.push({ id: 'members', kind: 'group', group: 'members', count });
    rows.push(...staying.map((member) => row(member, false)));
  }
  return rows;
}
