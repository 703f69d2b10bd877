import { defineEvent, defineRoute, userId } from '@parley/protocol';
import { z } from 'zod';

/**
 * Has a link mailed to the own address that proves it, as registering does. Nothing is sent within a minute of the last
 * one, without a mail server, or when the address is proven already; only the newest link works, and only if its email
 * was sent.
 */
export const requestAddressProof = defineRoute({
  service: 'auth',
  route: 'POST /api/auth/address-proofs',
  scope: 'person',
  cost: 'outbound',
  status: 202,
  response: z.strictObject({
    /** Whether there is a mail server; without one no address can be verified. */
    sendsMail: z.boolean(),
  }),
});

/**
 * The token of such a link came back, from the account that it was made for: the address is proven. Repeated it answers
 * the same; 410 `auth.link-ended` whatever is wrong with the link, another account's included.
 */
export const proveAddress = defineRoute({
  service: 'auth',
  route: 'POST /api/auth/address-proofs/redeem',
  scope: 'person',
  cost: 'secret',
  status: 204,
  body: z.strictObject({ token: z.string().min(1).max(200) }),
});

/** The person's address is to be proven once more: registering asks for it by `user.registered.v1`. */
export const addressProofRequested = defineEvent('user.proof-requested.v1', 'auth', {
  data: z.object({ userId }),
  key: 'userId',
  live: null,
  audit: "A person's own account: their security log has it.",
});

export const addressProofRoutes = { requestAddressProof, proveAddress };
