import type { Member, PersonPrincipal } from '@parley/contracts';
import type { MembershipRow } from '../rights/index.ts';

/** A membership as the reader may see it: the address and the reason of a suspension only with the right to them. */
export function toMember(row: MembershipRow, { seesPersonal }: { readonly seesPersonal: boolean }): Member {
  const { userId, name, picture, email, role, groupIds, status, reason, source, joinedAt, version } = row;
  return {
    userId,
    name,
    picture: picture ?? null,
    email: seesPersonal ? email : null,
    role,
    groupIds,
    status,
    reason: seesPersonal ? reason : null,
    source,
    joinedAt: joinedAt.toISOString(),
    version,
  };
}

export const seenBy = ({ organisation }: PersonPrincipal, row: MembershipRow): Member =>
  toMember(row, { seesPersonal: organisation?.permissions.includes('member:read_pii') ?? false });
