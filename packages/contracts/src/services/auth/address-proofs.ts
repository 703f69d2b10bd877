import { defineEvent, defineRoute, userId } from '@parley/protocol';
import { z } from 'zod';

/**
 * Sends a verification link to the person's own address, as registering does. Sends none within a minute of the last
 * link, without a mail server, or to a verified address. Only the newest link works, and only if its email was sent.
 */
export const requestAddressProof = defineRoute({
  service: 'auth',
  route: 'POST /api/auth/address-proofs',
  scope: 'person',
  cost: 'outbound',
  status: 202,
  response: z.strictObject({
    /** True if there is a mail server. Without one no address can be verified. */
    sendsMail: z.boolean(),
  }),
});

/**
 * Verifies the address by the token of a verification link, in the account of that link. Idempotent; 410
 * `auth.link-ended` for any link that doesn't work, including that of another account.
 */
export const proveAddress = defineRoute({
  service: 'auth',
  route: 'POST /api/auth/address-proofs/redeem',
  scope: 'person',
  cost: 'secret',
  status: 204,
  body: z.strictObject({ token: z.string().min(1).max(200) }),
});

/** A person asked for another verification link. Registering asks for one by `user.registered.v1`. */
export const addressProofRequested = defineEvent('user.proof-requested.v1', 'auth', {
  data: z.object({ userId }),
  key: 'userId',
  live: null,
  audit: "A person's own account: their security log has it.",
});

export const addressProofRoutes = { requestAddressProof, proveAddress };
