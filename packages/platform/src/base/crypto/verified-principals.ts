import type { Principal } from '@parley/contracts';

const verified = new WeakSet<Principal>();

/** Only `TokenVerifier` calls it. A copy of the principal is not marked. */
export function markVerified(principal: Principal): void {
  verified.add(principal);
}

/** The principal was read from a token whose signature held. */
export const isVerified = (principal: Principal): boolean => verified.has(principal);
