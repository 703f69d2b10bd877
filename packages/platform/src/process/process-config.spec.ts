import { describe, expect, test } from '@jest/globals';
import { deployables } from '@parley/contracts';
import {
  addressIn,
  databaseUrl,
  kafkaConfig,
  kafkaOf,
  processConfig,
  type ProcessConfig,
  sealingKey,
} from './process-config.ts';

describe('databaseUrl', () => {
  test.each([
    ['mongodb://one:27017', 'mongodb://one:27017/parley_chat'],
    ['mongodb://one:27017,two:27017/?replicaSet=rs0', 'mongodb://one:27017,two:27017/parley_chat?replicaSet=rs0'],
    ['mongodb://me:secret@one', 'mongodb://me:secret@one/parley_chat?authSource=admin'],
    [
      'mongodb+srv://me:secret@cluster/?tls=true',
      'mongodb+srv://me:secret@cluster/parley_chat?tls=true&authSource=admin',
    ],
    ['mongodb://me:secret@one/?authSource=people', 'mongodb://me:secret@one/parley_chat?authSource=people'],
    [
      'mongodb://%2Ftmp%2Fparley-x%2Fs.sock/?directConnection=true',
      'mongodb://%2Ftmp%2Fparley-x%2Fs.sock/parley_chat?directConnection=true',
    ],
  ])('builds the address of a service’s database from %s', (given, expected) => {
    expect(databaseUrl(given, 'chat')).toBe(expected);
  });
});

describe('kafkaOf', () => {
  test.each([
    [{}, { tls: false }],
    [
      { PARLEY_KAFKA_TLS: 'true', PARLEY_KAFKA_LOGIN: 'me:a:b' },
      { tls: true, login: { mechanism: 'scram-sha-512', username: 'me', password: 'a:b' } },
    ],
    [
      { PARLEY_KAFKA_LOGIN: 'me:pass', PARLEY_KAFKA_SASL: 'plain' },
      { tls: false, login: { mechanism: 'plain', username: 'me', password: 'pass' } },
    ],
  ])('reads how Kafka asks for sign-in from %j', (given, expected) => {
    expect(kafkaOf(kafkaConfig.parse({ PARLEY_KAFKA_BROKERS: 'one:9092, two:9092', ...given }))).toEqual({
      brokers: ['one:9092', 'two:9092'],
      ...expected,
    });
  });
});

test('names every invalid setting and shows no value', () => {
  const result = processConfig.safeParse({
    PARLEY_MONGO_URL: 'mongodb://me:hunter2@one/mine',
    PARLEY_KAFKA_BROKERS: 'kafka',
    PARLEY_KAFKA_TLS: 'hunter2',
    PARLEY_KAFKA_LOGIN: 'hunter2',
    PARLEY_KAFKA_SASL: 'hunter2',
    PARLEY_REDIS_URL: 'http://hunter2',
    PARLEY_SIGNING_KEY: 'hunter2',
    PARLEY_PUBLIC_KEYS: '{}',
    PARLEY_AUTH_URL: 'auth',
    PARLEY_PORT: 'many',
  });
  const issues = result.error?.issues ?? [];
  expect(new Set(issues.map(({ path }) => path[0]))).toEqual(
    new Set([
      'PARLEY_AUTH_URL',
      'PARLEY_BILLING_URL',
      'PARLEY_CHAT_URL',
      'PARLEY_KAFKA_BROKERS',
      'PARLEY_KAFKA_LOGIN',
      'PARLEY_KAFKA_SASL',
      'PARLEY_KAFKA_TLS',
      'PARLEY_MONGO_URL',
      'PARLEY_MONITORING_URL',
      'PARLEY_ORG_URL',
      'PARLEY_PORT',
      'PARLEY_PUBLIC_KEYS',
      'PARLEY_REDIS_URL',
      'PARLEY_SIGNING_KEY',
    ]),
  );
  expect(JSON.stringify(issues)).not.toContain('hunter2');
  expect(sealingKey.safeParse('short').error?.issues[0]?.message).toContain('parley keys init');
});

test('the settings have the address of each service', () => {
  const services = deployables.filter((deployable) => deployable !== 'bff');
  for (const service of services) {
    const variable = `PARLEY_${service.toUpperCase() as Uppercase<typeof service>}_URL` as const;
    const address = processConfig.shape[variable].parse(`http://${service}:3000/`);
    expect(addressIn({ [variable]: address } as unknown as ProcessConfig, service)).toBe(`http://${service}:3000`);
  }
});
