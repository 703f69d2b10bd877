import { defineEvent, defineRoute, pageOf, pageQuery, timestamp, userId } from '@parley/protocol';
import { z } from 'zod';

/** Whether what follows the last colon is a TCP port. */
export function hasPort(address: string): boolean {
  const port = Number(address.slice(address.lastIndexOf(':') + 1));
  return port >= 1 && port <= 65_535;
}

/** One host and one port, as a URL writes them: `10.0.0.5:11434`, `models.internal:443`, `[fd00::1]:80`. */
export const outboundAddress = z
  .string()
  .trim()
  .toLowerCase()
  .max(260)
  .regex(/^(?:[^\s:/@?#*[\]]+|\[[0-9a-f:.]+\]):\d{1,5}$/, 'write host:port')
  .refine(hasPort, 'write a port between 1 and 65535');

/** An address in a private network or on this machine that providers of all organisations may have. */
export const allowedAddress = z.strictObject({
  address: z.string(),
  /** Who has allowed it; the name is null where it was not written down. */
  by: z.strictObject({ userId, name: z.string().nullable() }),
  at: timestamp,
});
export type AllowedAddress = z.infer<typeof allowedAddress>;

const platform = { service: 'chat', scope: 'platform' } as const;
const one = z.strictObject({ address: outboundAddress });

/** By address. What the setting `PARLEY_OUTBOUND_ALLOW` names is not among them. */
export const listAllowedAddresses = defineRoute({
  ...platform,
  route: 'GET /api/chat/allowed-addresses',
  cost: 'read',
  query: pageQuery,
  response: pageOf(allowedAddress),
});

/**
 * Allows exactly this host and port, in every process within two seconds. Addresses at which clouds tell their secrets
 * are never called, whoever allows them: `platform.address-not-allowed`. Repeating it changes nothing.
 */
export const allowAddress = defineRoute({
  ...platform,
  route: 'POST /api/chat/allowed-addresses',
  cost: 'write',
  status: 201,
  body: one,
  response: allowedAddress,
});

/** From now on no new call goes there; an answer that is being written from there ends by itself. Repeating is harmless. */
export const disallowAddress = defineRoute({
  ...platform,
  route: 'DELETE /api/chat/allowed-addresses',
  cost: 'write',
  status: 204,
  query: one,
});

/**
 * A platform admin has allowed an address, or revoked that. The audit logs of all organisations of the admin have it: an
 * address is allowed for the installation.
 */
export const addressesChanged = defineEvent('addresses.changed.v1', 'chat', {
  data: z.object({ by: userId, address: z.string(), change: z.enum(['allowed', 'revoked']) }),
  key: 'by',
  live: null,
  audit: ({ by, address, change }) => ({
    act: `address.${change}`,
    by,
    // The filter takes targets of 100 characters.
    target: { of: 'address', id: address.slice(0, 100), name: address },
    in: { memberOf: by },
  }),
});

export const outboundRoutes = { listAllowedAddresses, allowAddress, disallowAddress };
