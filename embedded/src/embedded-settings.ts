import { authConfig } from '@parley/auth';
import { rateSetting } from '@parley/bff';
import { chatConfig } from '@parley/chat';
import { monitoringConfig } from '@parley/monitoring';
import { orgConfig } from '@parley/org';
import { mailRule } from '@parley/platform/mailer';
import { reporterConfig } from '@parley/platform/reporter';
import { z } from 'zod';

const fromList = (list: string): string[] =>
  list
    .split(',')
    .map((entry) => entry.trim())
    .filter((entry) => entry !== '');

/** What the one-process edition reads from its surroundings; flags of the same names win. */
export const embeddedConfig = z
  .object({
    ...authConfig.shape,
    ...chatConfig.shape,
    ...orgConfig.shape,
    PARLEY_HOST: z
      .string()
      .default('127.0.0.1')
      .describe('Address to listen on. Any other one needs TLS or a trusted proxy.'),
    PARLEY_PORT: z.coerce
      .number()
      .int()
      .min(0)
      .max(65_535)
      .default(3000)
      .describe('Port to listen on; 0 takes any free one.'),
    PARLEY_DATA: z.string().default('./data').describe('The [data folder](data-folder.md).'),
    PARLEY_PUBLIC_URL: z
      .url({ protocol: /^https?$/ })
      .optional()
      .describe('The address for people, if not the one above.'),
    PARLEY_TRUSTED_PROXY: z
      .string()
      .default('')
      .transform(fromList)
      .describe('Proxies whose forwarding headers count, separated by commas.'),
    PARLEY_RATE_LIMITS: rateSetting,
    PARLEY_TLS_CERT: z.string().optional().describe('Certificate for https.'),
    PARLEY_TLS_KEY: z.string().optional().describe('Key for https.'),
    PARLEY_INSECURE_HTTP: z
      .stringbool()
      .default(false)
      .describe('Listens beyond this machine without TLS: passwords are sent in the clear.'),
    PARLEY_LOG_LEVEL: z.enum(['debug', 'info', 'warn', 'error']).default('info'),
    ...reporterConfig.shape,
    ...monitoringConfig.shape,
    PARLEY_MANAGEMENT_PORT: z.coerce
      .number()
      .int()
      .min(0)
      .max(65_535)
      .optional()
      .describe('Port of [probes and metrics](probes-and-metrics.md).'),
    /** For the kill acceptance only: where to die (`name`, or `name:n` for the n-th time), and competing worker roles. */
    PARLEY_TEST_FAILPOINT: z.string().optional(),
    PARLEY_TEST_WORKERS: z.coerce.number().int().min(1).max(8).default(1),
  })
  .refine(...mailRule);
export type EmbeddedConfig = z.infer<typeof embeddedConfig>;

const loopback = new Set(['127.0.0.1', '::1', 'localhost']);

/** Why this address may not be listened on, in one sentence; null when it may. */
export function bindRefusal(
  config: Pick<
    EmbeddedConfig,
    | 'PARLEY_HOST'
    | 'PARLEY_PUBLIC_URL'
    | 'PARLEY_TLS_CERT'
    | 'PARLEY_TLS_KEY'
    | 'PARLEY_TRUSTED_PROXY'
    | 'PARLEY_INSECURE_HTTP'
  >,
): string | null {
  const { PARLEY_HOST: host, PARLEY_PUBLIC_URL: publicUrl, PARLEY_TLS_CERT: cert, PARLEY_TLS_KEY: key } = config;
  if ((cert === undefined) !== (key === undefined)) return 'Give --tls-cert and --tls-key together.';
  if (loopback.has(host) || cert !== undefined || config.PARLEY_INSECURE_HTTP) return null;
  const url = publicUrl === undefined ? null : new URL(publicUrl);
  if (url?.protocol === 'https:' && config.PARLEY_TRUSTED_PROXY.length > 0) return null;
  if (url?.protocol === 'http:' && url.hostname === 'localhost') return null;
  return `Listening on ${host} needs TLS: give --tls-cert and --tls-key, or --public-url https://… with --trusted-proxy, or accept the risk with --insecure-http.`;
}
