import { defineEvent, defineRoute, pageOf, pageQuery, timestamp, userId } from '@parley/protocol';
import { z } from 'zod';

/** Returns whether the text after the last colon is a TCP port. */
export function hasPort(address: string): boolean {
  const port = Number(address.slice(address.lastIndexOf(':') + 1));
  return port >= 1 && port <= 65_535;
}

/** A host and a port, as in a URL: `10.0.0.5:11434`, `models.internal:443`, `[fd00::1]:80`. */
export const outboundAddress = z
  .string()
  .trim()
  .toLowerCase()
  .max(260)
  .regex(/^(?:[^\s:/@?#*[\]]+|\[[0-9a-f:.]+\]):\d{1,5}$/, 'write host:port')
  .refine(hasPort, 'write a port between 1 and 65535');

/** An address in a private network or on this machine that providers of all organisations can have. */
export const allowedAddress = z.strictObject({
  address: z.string(),
  /** The person who allowed it; the name is null if it wasn't recorded. */
  by: z.strictObject({ userId, name: z.string().nullable() }),
  at: timestamp,
});
export type AllowedAddress = z.infer<typeof allowedAddress>;

const platform = { service: 'chat', scope: 'platform' } as const;
const one = z.strictObject({ address: outboundAddress });

/** Lists allowed addresses, sorted, without those of the setting `PARLEY_OUTBOUND_ALLOW`. */
export const listAllowedAddresses = defineRoute({
  ...platform,
  route: 'GET /api/chat/allowed-addresses',
  cost: 'read',
  query: pageQuery,
  response: pageOf(allowedAddress),
});

/**
 * Allows exactly this host and port, in every process within two seconds. `platform.address-not-allowed` for addresses
 * where clouds keep secrets, which are never called. Idempotent.
 */
export const allowAddress = defineRoute({
  ...platform,
  route: 'POST /api/chat/allowed-addresses',
  cost: 'write',
  status: 201,
  body: one,
  response: allowedAddress,
});

/** Disallows an address for new calls. A running answer from that address isn't interrupted. Idempotent. */
export const disallowAddress = defineRoute({
  ...platform,
  route: 'DELETE /api/chat/allowed-addresses',
  cost: 'write',
  status: 204,
  query: one,
});

/**
 * A platform admin allowed an address, or disallowed it again. Addresses belong to the installation, so all
 * organisations of the admin have it in their audit logs.
 */
export const addressesChanged = defineEvent('addresses.changed.v1', 'chat', {
  data: z.object({ by: userId, address: z.string(), change: z.enum(['allowed', 'revoked']) }),
  key: 'by',
  live: null,
  audit: ({ by, address, change }) => ({
    act: `address.${change}`,
    by,
    // Shortened, because the filter of the audit log takes targets of up to 100 characters.
    target: { of: 'address', id: address.slice(0, 100), name: address },
    in: { memberOf: by },
  }),
});

export const outboundRoutes = { listAllowedAddresses, allowAddress, disallowAddress };
