import { hasPort } from '@parley/contracts';
import { z } from 'zod';

const hostAndPort = z
  .string()
  .regex(/^[^\s:/*]+:\d{1,5}$|^\[[0-9a-f:]+\]:\d{1,5}$/i, 'write host:port')
  .refine(hasPort, 'write a port between 1 and 65535');

/** `PARLEY_OUTBOUND_ALLOW`, for each deployable that calls addresses that people type. */
export const outboundAllow = z
  .string()
  .default('')
  .transform((list) =>
    list
      .split(',')
      .map((entry) => entry.trim())
      .filter((entry) => entry !== ''),
  )
  .pipe(z.array(hostAndPort))
  .describe(
    'Non-public addresses that providers, webhooks and sources of data connections may have, `host:port` separated by commas.',
  );
