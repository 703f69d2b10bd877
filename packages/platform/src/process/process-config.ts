import { answeringProcess, deployables, type Deployable, type Service } from '@parley/contracts';
import { z } from 'zod';
import type { KafkaCluster } from '../events/event-bus/kafka/index.ts';
import { reporterConfig } from './reporting/index.ts';

const isJson = (text: string): boolean => {
  try {
    JSON.parse(text);
    return true;
  } catch {
    return false;
  }
};
const fromJson = z
  .string()
  .refine(isJson, 'is not JSON: give what `parley keys init` wrote')
  .transform((text): unknown => JSON.parse(text));
const jwk = z.looseObject({ kty: z.literal('OKP'), crv: z.literal('Ed25519'), x: z.string() });

const asList = (list: string): string[] =>
  list
    .split(',')
    .map((entry) => entry.trim())
    .filter((entry) => entry !== '');
const port = z.coerce.number().int().min(0).max(65_535);

/** Another service's address inside the cluster, without a path. */
const addressOf = (service: Service) =>
  z
    .url({ protocol: /^https?$/ })
    .transform((url) => url.replace(/\/$/, ''))
    .describe(`Where ${answeringProcess(service)} listens.`);

/** The private key of one deployable, as `parley keys init` writes it. */
export const signingKeyFile = z.strictObject({
  deployable: z.enum(deployables),
  private: jwk.extend({ d: z.string() }),
});
/** The keys that verify tokens of each deployable. */
export const publicKeysFile = z.record(z.enum(deployables), jwk);

/** The address of Kafka and how to sign in. */
export const kafkaConfig = z.object({
  PARLEY_KAFKA_BROKERS: z
    .string()
    .transform(asList)
    .pipe(z.array(z.string().regex(/^[^\s:]+:\d{1,5}$/, 'write host:port, separated by commas')).min(1))
    .describe('Kafka brokers, `host:port` separated by commas.'),
  PARLEY_KAFKA_TLS: z
    .stringbool()
    .default(false)
    .describe('TLS to the brokers. An authority of your own goes into `NODE_EXTRA_CA_CERTS`, for all servers.'),
  PARLEY_KAFKA_LOGIN: z
    .string()
    .regex(/^[^:]+:./, 'write user:password')
    .optional()
    .describe('`user:password` for the brokers (SASL), secret; without it nobody signs in.'),
  PARLEY_KAFKA_SASL: z
    .enum(['scram-sha-512', 'scram-sha-256', 'plain'])
    .default('scram-sha-512')
    .describe('How `PARLEY_KAFKA_LOGIN` is shown to the brokers; `plain` only with TLS.'),
});

/** The addresses of other systems: the same variables for every deployable and for operators' commands. */
export const surroundings = {
  PARLEY_MONGO_URL: z
    .string()
    .regex(
      /^mongodb(\+srv)?:\/\/[^/?]+\/?(\?.*)?$/,
      'write mongodb://host:port without a database: each service has its own',
    )
    .describe('MongoDB replica set, without a database name: each service uses `parley_<service>`.'),
  ...kafkaConfig.shape,
  PARLEY_REDIS_URL: z.url({ protocol: /^rediss?$/ }).describe('Redis 7 or newer, `redis://` or `rediss://`.'),
};

/** The settings of every deployable of the distributed edition. */
export const processConfig = z.object({
  ...surroundings,
  PARLEY_SIGNING_KEY: fromJson
    .pipe(signingKeyFile)
    .describe("This deployable's own key, secret: what `parley keys init` wrote into `<deployable>.json`."),
  PARLEY_PUBLIC_KEYS: fromJson
    .pipe(publicKeysFile)
    .describe('The public keys of all deployables: what `parley keys init` wrote into `public.json`.'),
  PARLEY_AUTH_URL: addressOf('auth'),
  PARLEY_ORG_URL: addressOf('org'),
  PARLEY_CHAT_URL: addressOf('chat'),
  PARLEY_BILLING_URL: addressOf('billing'),
  PARLEY_MONITORING_URL: addressOf('monitoring'),
  PARLEY_HOST: z.string().default('0.0.0.0').describe('Address to listen on.'),
  PARLEY_PORT: port.default(3000).describe('Port to listen on.'),
  PARLEY_MANAGEMENT_PORT: port.default(9464).describe('Port of probes and metrics; keep it inside the cluster.'),
  PARLEY_UNREADY_MS: z.coerce
    .number()
    .int()
    .min(0)
    .default(3_000)
    .describe('Keeps taking requests for this time after SIGTERM, unready, until load balancers have noticed.'),
  PARLEY_SHUTDOWN_MS: z.coerce
    .number()
    .int()
    .min(1_000)
    .default(25_000)
    .describe(
      'How long a graceful end may take after SIGTERM, that time included; below the grace period of whatever sends it.',
    ),
  PARLEY_LOG_LEVEL: z
    .enum(['debug', 'info', 'warn', 'error'])
    .default('info')
    .describe('What is logged, as JSON on standard output.'),
  ...reporterConfig.shape,
});
/** The BFF stores nothing durable and reads no `PARLEY_MONGO_URL`. */
export type ProcessConfig = Omit<z.infer<typeof processConfig>, 'PARLEY_MONGO_URL'> & {
  readonly PARLEY_MONGO_URL?: string;
};

/** Returns the address of a service from the settings. */
export const addressIn = (config: ProcessConfig, service: Service): string =>
  config[`PARLEY_${service.toUpperCase() as Uppercase<Service>}_URL`];

/** The address of the installation for people. */
export const publicUrl = z.url({ protocol: /^https?$/ }).describe('Where people reach it, as they type it.');

/** The key for sealed secrets; only for deployables that store secrets of organisations. */
export const sealingKey = z
  .string()
  .refine(
    (text) => Buffer.from(text, 'base64').length === 32,
    'is not a sealing key: give what `parley keys init` wrote',
  )
  .transform((text) => Buffer.from(text, 'base64'))
  .describe(
    'The key of what is sealed, provider keys, secrets of webhooks and links in waiting mails, secret: what `parley keys init` wrote into `sealing.key`.',
  );

/** Returns the settings of Kafka. */
export function kafkaOf(config: z.infer<typeof kafkaConfig>): KafkaCluster {
  const {
    PARLEY_KAFKA_BROKERS: brokers,
    PARLEY_KAFKA_TLS: tls,
    PARLEY_KAFKA_LOGIN: login,
    PARLEY_KAFKA_SASL: mechanism,
  } = config;
  if (login === undefined) return { brokers, tls };
  const colon = login.indexOf(':');
  return { brokers, tls, login: { mechanism, username: login.slice(0, colon), password: login.slice(colon + 1) } };
}

/** Returns the address of one service's database on the given servers. */
export function databaseUrl(mongoUrl: string, deployable: Deployable): string {
  const [, servers = '', query = ''] = /^(mongodb(?:\+srv)?:\/\/[^/?]+)\/?(\?.*)?$/.exec(mongoUrl) ?? [];
  // Adds `authSource=admin`, because a user without a named source belongs to `admin`. With a database in the address,
  // MongoDB would look for the user there.
  const needsHome = servers.includes('@') && !query.includes('authSource=');
  const home = needsHome ? `${query === '' ? '?' : '&'}authSource=admin` : '';
  return `${servers}/parley_${deployable}${query}${home}`;
}

/**
 * Returns the error in the keys of a deployable, or null. Each key parses by itself, but can belong to another
 * deployable.
 */
export function keyFault(
  config: Pick<ProcessConfig, 'PARLEY_SIGNING_KEY' | 'PARLEY_PUBLIC_KEYS'>,
  deployable: Deployable,
): string | null {
  const { PARLEY_SIGNING_KEY: signing, PARLEY_PUBLIC_KEYS: publicKeys } = config;
  if (signing.deployable !== deployable)
    return `PARLEY_SIGNING_KEY: is the key of ${signing.deployable}, not of ${deployable}`;
  if (publicKeys[deployable].x !== signing.private.x)
    return `PARLEY_PUBLIC_KEYS: are not of the same set as the key of ${deployable}`;
  return null;
}
