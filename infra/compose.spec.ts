import { describe, expect, test } from '@jest/globals';
import { bindRefusal, embeddedConfig } from '@parley/embedded';
import { databaseUrl, surroundings } from '@parley/platform/process-config';
import { execFileSync } from 'node:child_process';
import {
  chmodSync,
  existsSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { parse } from 'yaml';
import { z } from 'zod';
import { isCompose } from './compose-schema.ts';
import { knownDeployables, placeholders } from './deployables.ts';
import { buildSteps, commandsOf, environmentOf, targets } from './dockerfile.ts';

type Service = {
  readonly environment: Record<string, string>;
  readonly ports?: string[];
  readonly volumes?: string[];
  readonly mem_limit?: string;
  readonly logging?: { driver: string; options: Record<string, string> };
  readonly build?: { context: string; target: string };
  readonly read_only?: boolean;
  readonly profiles?: string[];
  readonly command?: string[];
  readonly image: string;
  readonly depends_on?: Record<string, { condition: string }>;
  readonly healthcheck?: { test: string[] };
  readonly restart?: string;
  readonly stop_grace_period?: string;
};
type Compose = { services: Record<string, Service>; volumes: Record<string, unknown> };

const root = join(import.meta.dirname, '..');
const read = (file: string): string => readFileSync(join(root, file), 'utf8');
const compose = parse(read('docker-compose.yml'), { merge: true }) as Compose;

/** What compose makes of `${NAME:-default}` when nothing is set; defaults may nest. */
function interpolate(text: string): string {
  const inner = /\$\{\w+:-([^${}]*)\}/;
  return inner.test(text) ? interpolate(text.replace(inner, '$1')) : text;
}
const filled = (service: Service): Record<string, string> =>
  Object.fromEntries(
    Object.entries(service.environment)
      .map(([name, value]) => [name, interpolate(value)])
      .filter(([, value]) => value !== ''),
  );

/** What the code would say of a service's variables, by their names. */
function faultsOf(service: Service, config: z.ZodObject): string[] {
  const given = filled(service);
  const plain = Object.fromEntries(Object.entries(given).filter(([variable]) => !variable.endsWith('_FILE')));
  const fromFiles = Object.keys(given)
    .filter((variable) => variable.endsWith('_FILE'))
    .map((variable) => variable.slice(0, -'_FILE'.length));
  const known = { ...placeholders, PARLEY_REDIS_URL: 'redis://:password@redis:6379' };
  const values = Object.fromEntries(Object.entries(known).filter(([variable]) => fromFiles.includes(variable)));
  const { error } = config.safeParse({ ...values, ...plain });
  return (error?.issues ?? []).map(({ path, message }) => `${path.join('.')}: ${message}`);
}

describe('docker-compose.yml', () => {
  test('follows the Compose Specification', () => expect(isCompose(compose)).toBe(true));

  test.each<[string, (broken: Compose) => void]>([
    ['an unknown key of a service', (broken) => Object.assign(broken.services['parley'] as object, { enviroment: {} })],
    ['ports that are no list', (broken) => Object.assign(broken.services['parley'] as object, { ports: '3000' })],
    ['an unknown key at the top', (broken) => Object.assign(broken, { service: {} })],
  ])('the check refuses %s', (_what, breakIt) => {
    const broken = structuredClone(compose);
    breakIt(broken);
    expect(isCompose(broken)).toBe(false);
  });

  test('sets only variables that the code reads, to values that it takes', () => {
    const service = compose.services['parley'] as Service;
    for (const name of Object.keys(service.environment)) expect(Object.keys(embeddedConfig.shape)).toContain(name);
    const config = embeddedConfig.parse({ ...environmentOf('embedded'), ...filled(service) });
    expect(bindRefusal(config)).toBeNull();
    expect(config.PARLEY_PUBLIC_URL).toBe('http://localhost:3000');
  });

  test('publishes the port that Parley listens on, on loopback only, and keeps its data in the volume', () => {
    const { ports = [], volumes = [], ...service } = compose.services['parley'] as Service;
    const { PARLEY_PORT, PARLEY_DATA } = environmentOf('embedded');
    expect(ports.map(interpolate)).toEqual([`127.0.0.1:3000:${PARLEY_PORT}`]);
    expect(volumes).toEqual([`parley-data:${PARLEY_DATA}`]);
    expect(Object.keys(compose.volumes)).toContain('parley-data');
    expect([service.mem_limit, service.read_only]).toEqual(['1536m', true]);
  });
});

describe('profile distributed', () => {
  const services = Object.entries(compose.services).filter(([, { profiles }]) => profiles?.includes('distributed'));

  test('has every deployable, each store and a mail catcher; nothing of it starts by default', () => {
    const names = services.map(([name]) => name);
    for (const name of [
      ...Object.keys(knownDeployables),
      'kafka',
      'mongodb',
      'redis',
      'objects',
      'mail',
      'migrate',
      'keys',
    ])
      expect(names).toContain(name);
    expect(Object.keys(compose.services).filter((name) => !names.includes(name))).toEqual(['parley']);
  });

  test.each(Object.entries(knownDeployables))(
    '%s gets the variables that its code reads, to values that it takes, and starts its main file',
    (name, { config, variables, folder }) => {
      const service = compose.services[name] as Service;
      for (const variable of Object.keys(service.environment))
        expect(variables).toContain(variable.replace(/_FILE$/, ''));
      expect(faultsOf(service, config)).toEqual([]);
      expect(service.command?.at(-1)).toBe(`${folder}/dist/main.js`);
      expect(service.healthcheck?.test.join(' ')).toContain(':9464/health/ready');
      expect(Number.parseInt(service.stop_grace_period ?? '', 10) * 1_000).toBeGreaterThanOrEqual(30_000);
    },
  );

  test.each(services)(
    '%s has a memory limit, waits for what it needs, and calls only what is there',
    (_name, { mem_limit, depends_on = {}, environment = {}, restart, healthcheck, image }) => {
      expect(mem_limit).toMatch(/^\d+[mg]$/);
      for (const [needed, { condition }] of Object.entries(depends_on)) {
        const other = compose.services[needed];
        expect(condition).toBe(other?.restart === undefined ? 'service_completed_successfully' : 'service_healthy');
        if (condition === 'service_healthy') expect(other?.healthcheck).toBeDefined();
      }
      const hosts = Object.entries(environment)
        .filter(([name]) => name.startsWith('PARLEY_'))
        .flatMap(([, value]) =>
          [...interpolate(value).matchAll(/(?:\/\/|^)([a-z-]+):\d+/g)].map(([, host = '']) => host),
        );
      for (const host of hosts.filter((each) => each !== 'localhost'))
        expect(Object.keys(compose.services)).toContain(host);
      if (restart !== undefined && !image.includes('mailpit')) expect(healthcheck).toBeDefined();
      expect(image).toMatch(/:[\w.-]*\d/);
    },
  );

  test.each(Object.entries(compose.services))('the log of %s is bounded', (_name, { logging }) => {
    const options = { 'max-size': '10m', 'max-file': '5' };
    expect(logging).toEqual({ driver: 'json-file', options });
  });

  test('publishes nothing beyond this machine', () => {
    const published = services.flatMap(([, { ports = [] }]) => ports);
    expect(published).not.toEqual([]);
    for (const port of published) expect(port).toMatch(/^127\.0\.0\.1:/);
  });
});

/** The paths inside a container that stay when it is made anew, each with its volume. */
const mountsOf = ({ volumes = [] }: Service): Map<string, string> =>
  new Map(volumes.map((each) => each.split(':') as [string, string]).map(([volume, path]) => [path, volume]));

/** What would be lost with a container, or stand open to whoever reaches the network. */
function storeFaults({ services }: Compose): string[] {
  const faults: string[] = [];
  const { kafka, mongodb, redis } = services as Record<'kafka' | 'mongodb' | 'redis', Service>;
  if (mountsOf(kafka).get(kafka.environment['KAFKA_LOG_DIRS'] ?? '') !== 'kafka')
    faults.push('kafka writes beside its volume');
  const commandOf = ({ command = [] }: Service): string => command.join(' ');
  const { MONGO_INITDB_ROOT_USERNAME: user, MONGO_INITDB_ROOT_PASSWORD_FILE: file } = mongodb.environment ?? {};
  if (!commandOf(mongodb).includes('--keyFile /passwords/mongodb.keyfile'))
    faults.push('mongodb asks nobody who they are');
  if (user !== 'parley' || file !== '/passwords/mongodb') faults.push('mongodb has no user');
  if (!commandOf(redis).startsWith('redis-server /passwords/redis.conf')) faults.push('redis asks nobody who they are');
  for (const [name, service] of Object.entries({ mongodb, redis }))
    if (mountsOf(service).get('/passwords') !== 'passwords') faults.push(`${name} has no passwords`);
  for (const [name, service] of Object.entries(services)) {
    const files = Object.entries(service.environment ?? {}).filter(([variable]) => /^PARLEY_.*_FILE$/.test(variable));
    if (files.some(([, value]) => value.startsWith('/keys/')) && mountsOf(service).get('/keys') !== 'keys')
      faults.push(`${name} has no keys`);
    if (['PARLEY_MONGO_URL', 'PARLEY_REDIS_URL'].some((each) => each in (service.environment ?? {})))
      faults.push(`${name} has an address without a password`);
  }
  return faults;
}

describe('the stores of profile distributed', () => {
  test('keep what they have in volumes and let nobody in without a password', () =>
    expect(storeFaults(compose)).toEqual([]));

  test.each<[string, (services: Record<string, Service>) => void, string[]]>([
    [
      'Kafka where its image puts its log',
      ({ kafka }) => delete kafka!.environment['KAFKA_LOG_DIRS'],
      ['kafka writes beside its volume'],
    ],
    [
      'a replica set without a key file',
      ({ mongodb }) => mongodb!.command!.splice(2, 2),
      ['mongodb asks nobody who they are'],
    ],
    ['MongoDB without a user', ({ mongodb }) => Object.assign(mongodb!, { environment: {} }), ['mongodb has no user']],
    ['Redis without its file', ({ redis }) => redis!.command!.splice(1, 1), ['redis asks nobody who they are']],
    ['Redis without the volume', ({ redis }) => Object.assign(redis!, { volumes: [] }), ['redis has no passwords']],
    ['a migration without keys', ({ migrate }) => Object.assign(migrate!, { volumes: [] }), ['migrate has no keys']],
    [
      'an open address',
      ({ auth }) => (auth!.environment['PARLEY_REDIS_URL'] = 'redis://redis:6379'),
      ['auth has an address without a password'],
    ],
  ])('the check refuses %s', (_what, breakIt, faults) => {
    const broken = structuredClone(compose);
    breakIt(broken.services);
    expect(storeFaults(broken)).toEqual(faults);
  });

  test('get passwords that are made once, and Parley the same ones in its addresses', () => {
    const folder = mkdtempSync(join(tmpdir(), 'parley-compose-'));
    try {
      for (const name of ['keys', 'passwords', 'bin']) mkdirSync(join(folder, name));
      // Keys are there; who owns the files is for root to say.
      writeFileSync(join(folder, 'keys/sealing.key'), '');
      writeFileSync(join(folder, 'bin/chown'), '#!/bin/sh\n');
      chmodSync(join(folder, 'bin/chown'), 0o755);
      const [shell = '', flags = '', script = ''] = compose.services['keys']?.command ?? [];
      const run = (): Record<string, string> => {
        execFileSync(shell, [flags, script.replaceAll('$$', '$').replaceAll(/\/(keys|passwords)\b/g, `${folder}/$1`)], {
          env: { PATH: `${join(folder, 'bin')}:/usr/bin:/bin` },
        });
        return Object.fromEntries(
          ['keys', 'passwords'].flatMap((name) =>
            readdirSync(join(folder, name)).map((file) => [
              `${name}/${file}`,
              readFileSync(join(folder, name, file), 'utf8').trim(),
            ]),
          ),
        );
      };
      const made = run();
      const { PARLEY_MONGO_URL, PARLEY_REDIS_URL } = surroundings;
      const redis = new URL(PARLEY_REDIS_URL.parse(made['keys/redis.url']));
      expect(made['passwords/redis.conf']).toBe(`requirepass ${redis.password}`);
      expect(redis.password).toMatch(/^[0-9a-f]{48}$/);
      const password = made['passwords/mongodb'] ?? '';
      expect(password).toMatch(/^[0-9a-f]{48}$/);
      expect(databaseUrl(PARLEY_MONGO_URL.parse(made['keys/mongodb.url']), 'auth')).toBe(
        `mongodb://parley:${password}@mongodb:27017/parley_auth?replicaSet=rs0&authSource=admin`,
      );
      expect(made['passwords/mongodb.keyfile']).toMatch(/^[0-9a-f]{48}$/);
      expect(new Set([password, redis.password, made['passwords/mongodb.keyfile']]).size).toBe(3);
      expect(run()).toEqual(made);
    } finally {
      rmSync(folder, { recursive: true });
    }
  });
});

describe('Dockerfile', () => {
  test.each(Object.entries(compose.services).filter(([, { build }]) => build))(
    'has the target of service %s',
    (_name, { build }) => {
      expect(targets).toContain(build?.target);
    },
  );

  test('starts commands that are there', () => {
    const files = targets
      .flatMap((target) => commandsOf(target).start)
      .filter((part) => part.endsWith('.mjs') || part.endsWith('.js'));
    expect(files).not.toEqual([]);
    for (const file of files) expect(existsSync(join(root, file))).toBe(true);
  });

  test('keeps no tool of tests, checks or builds: nothing that runs needs one', () => {
    expect(buildSteps.join()).toContain('npm prune --omit=dev');
    const { packages } = JSON.parse(read('package-lock.json')) as { packages: Record<string, { dev?: true }> };
    const kept = Object.keys(packages).filter((name) => name.startsWith('node_modules/') && !packages[name]?.dev);
    expect(kept).toContain('node_modules/express');
    expect(
      kept.filter((name) => /jest|playwright|testing-library|jsdom|\/vite$|oxlint|\/typescript$/.test(name)),
    ).toEqual([]);
  });
});
