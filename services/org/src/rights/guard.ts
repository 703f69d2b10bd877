import type { RoleKey } from '@parley/contracts';
import { Problem } from '@parley/protocol';

/** What is counted of an organisation's members. */
export type Guard = {
  readonly memberCount: number;
  readonly ownerCount: number;
  readonly seatsHeld: number;
  readonly seatLimit: number | null;
  readonly roleCounts: Readonly<Record<string, number>>;
  readonly rightsVersion: number;
};
/** How somebody stands in an organisation; null is nobody of it. */
export type Stand = { readonly role: RoleKey; readonly status: 'active' | 'suspended' } | null;

const isActiveOwner = (stand: Stand): number => (stand?.role === 'owner' && stand.status === 'active' ? 1 : 0);

/**
 * The guard after one person stands otherwise. Whoever comes in needs a seat (`org.seats-full`), and one active owner
 * stays (`org.last-owner`), whatever led here.
 */
export function moved(guard: Guard, before: Stand, after: Stand): Guard {
  const ownerCount = guard.ownerCount - isActiveOwner(before) + isActiveOwner(after);
  if (ownerCount < 1) throw new Problem('org.last-owner', { detail: 'Make somebody else an owner first.' });
  const memberCount = guard.memberCount - (before ? 1 : 0) + (after ? 1 : 0);
  if (!before && after) checkSeats({ ...guard, memberCount });
  const roleCounts = { ...guard.roleCounts };
  if (before) roleCounts[before.role] = (roleCounts[before.role] ?? 0) - 1;
  if (after) roleCounts[after.role] = (roleCounts[after.role] ?? 0) + 1;
  return { ...guard, ownerCount, memberCount, roleCounts, rightsVersion: guard.rightsVersion + 1 };
}

/** The guard with so many more seats held for invitations, or fewer. */
export function held(guard: Guard, change: number): Guard {
  const next = { ...guard, seatsHeld: guard.seatsHeld + change, rightsVersion: guard.rightsVersion + 1 };
  if (change > 0) checkSeats(next);
  return next;
}

/** The guard when so many who had a role have another one; all of them unless a number is given. */
export function replaced(
  guard: Guard,
  { from, to, count }: { readonly from: RoleKey; readonly to: RoleKey; readonly count?: number },
): Guard {
  const { [from]: had = 0, ...others } = guard.roleCounts;
  const changed = count ?? had;
  const left = had > changed ? { [from]: had - changed } : {};
  const roleCounts = { ...others, ...left, [to]: (others[to] ?? 0) + changed };
  return { ...guard, roleCounts, rightsVersion: guard.rightsVersion + 1 };
}

function checkSeats({ memberCount, seatsHeld, seatLimit }: Guard): void {
  if (seatLimit !== null && memberCount + seatsHeld > seatLimit)
    throw new Problem('org.seats-full', {
      detail: `All ${seatLimit} seats are taken or held for open invitations. Free one, or ask for more.`,
    });
}
