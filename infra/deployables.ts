import { authProcessConfig } from '@parley/auth/process-config';
import { bffProcessConfig } from '@parley/bff/process-config';
import { chatProcessConfig } from '@parley/chat/process-config';
import { monitoringProcessConfig } from '@parley/monitoring/process-config';
import { orgProcessConfig } from '@parley/org/process-config';
import { answeringProcess, deployables, peersOf, type Deployable } from '@parley/contracts';
import { processConfig } from '@parley/platform/process-config';
import type { z } from 'zod';

export type Store = 'mongodb' | 'kafka' | 'redis' | 'objects';
export type KnownDeployable = {
  /** The folder of its code. */
  readonly folder: string;
  readonly config: z.ZodObject;
  readonly variables: readonly string[];
  /** Where its code calls: other deployables on port 3000, stores on theirs. */
  readonly calls: readonly string[];
  readonly stores: readonly Store[];
  /** Whether it calls addresses outside, which people have typed. */
  readonly callsOutside: boolean;
  /** Whether it talks to the mail server. */
  readonly sendsMail: boolean;
};
const variablesOf = (schema: z.ZodObject): string[] => Object.keys(schema.shape);
const callsOf = (deployable: Deployable): string[] => peersOf[deployable].map(answeringProcess);
const ownerOf = (deployable: Deployable, config: KnownDeployable['config'] = processConfig): KnownDeployable => ({
  folder: `services/${deployable}`,
  config,
  variables: variablesOf(config),
  calls: callsOf(deployable),
  stores: ['mongodb', 'kafka', 'redis'],
  callsOutside: false,
  sendsMail: false,
});
const chat: KnownDeployable = {
  ...ownerOf('chat', chatProcessConfig),
  stores: ['mongodb', 'kafka', 'redis', 'objects'],
  callsOutside: true,
};

/** What the code of each deployable reads and calls: the manifests must say the same. */
export const knownDeployables: Readonly<Record<string, KnownDeployable>> = {
  bff: {
    folder: 'bff',
    config: bffProcessConfig,
    variables: variablesOf(bffProcessConfig),
    calls: callsOf('bff'),
    stores: ['kafka', 'redis'],
    callsOutside: false,
    sendsMail: false,
  },
  auth: { ...ownerOf('auth', authProcessConfig), sendsMail: true },
  org: ownerOf('org', orgProcessConfig),
  'chat-api': chat,
  'chat-worker': chat,
  billing: ownerOf('billing'),
  monitoring: { ...ownerOf('monitoring', monitoringProcessConfig), callsOutside: true },
};

/** Values that only the operator has, as they come from each deployable's Secret. */
export const secretVariables: ReadonlySet<string> = new Set([
  'PARLEY_MONGO_URL',
  'PARLEY_KAFKA_LOGIN',
  'PARLEY_SIGNING_KEY',
  'PARLEY_PUBLIC_KEYS',
  'PARLEY_SEALING_KEY',
  'PARLEY_SMTP_URL',
  'PARLEY_S3_ACCESS_KEY_ID',
  'PARLEY_S3_SECRET_ACCESS_KEY',
  'OPENAI_API_KEY',
]);
export const storePorts: Readonly<Record<Store, number>> = {
  mongodb: 27_017,
  kafka: 9_092,
  redis: 6_379,
  objects: 9_000,
};
export const httpPort = 3_000;
export const managementPort = 9_464;

/** Values of the right shape for what only the operator has. */
const key = { kty: 'OKP', crv: 'Ed25519', x: 'x' };
export const placeholders: Readonly<Record<string, string>> = {
  PARLEY_MONGO_URL: 'mongodb://mongodb:27017/?replicaSet=rs0',
  PARLEY_SEALING_KEY: Buffer.alloc(32).toString('base64'),
  PARLEY_S3_ACCESS_KEY_ID: 'id',
  PARLEY_S3_SECRET_ACCESS_KEY: 'key',
  PARLEY_SIGNING_KEY: JSON.stringify({ deployable: 'bff', private: { ...key, d: 'd' } }),
  PARLEY_PUBLIC_KEYS: JSON.stringify(Object.fromEntries(deployables.map((deployable) => [deployable, key]))),
};
