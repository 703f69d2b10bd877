import type { Principal } from '@parley/contracts';

const verified = new WeakSet<Principal>();

/** Marks a principal as verified. Only `TokenVerifier` calls it, and a copy isn't marked. */
export function markVerified(principal: Principal): void {
  verified.add(principal);
}

/** Returns whether the principal was read from a token with a valid signature. */
export const isVerified = (principal: Principal): boolean => verified.has(principal);
