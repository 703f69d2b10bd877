import { afterAll, expect, test } from '@jest/globals';
import type { Deployable } from '@parley/contracts';
import { kafkaConfig, keyFault, processConfig, type ProcessConfig } from '@parley/platform/process-config';
import { spawnSync } from 'node:child_process';
import { existsSync, mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { knownDeployables, secretVariables } from '../deployables.ts';
import { readRendered, root } from './objects.ts';
import { environmentOf, type Workload } from './workloads.ts';

const folder = mkdtempSync(join(tmpdir(), 'parley-secrets-'));
afterAll(() => rmSync(folder, { recursive: true, force: true }));

type Secret = Readonly<Record<string, string>>;

/**
 * Runs what the handbook has a reader type: the real `parley keys init`, and a `kubectl` that writes down what it is
 * told.
 */
function typeHandbook(): { applied: string[]; secrets: ReadonlyMap<string, Secret> } {
  const [, script = ''] =
    /<!-- secrets -->\n```sh\n([^]*?)```\n<!-- end of secrets -->/.exec(
      readFileSync(join(root, 'docs/how-to/deploy-on-kubernetes.md'), 'utf8'),
    ) ?? [];
  const bin = join(folder, 'bin');
  mkdirSync(bin);
  const cli = `"${process.execPath}" --conditions=parley-source --import "${join(root, 'packages/tooling/src/register.mjs')}" "${join(root, 'cli/src/cli.ts')}"`;
  writeFileSync(join(bin, 'parley'), `#!/bin/sh\nexec ${cli} "$@"\n`, { mode: 0o755 });
  writeFileSync(
    join(bin, 'kubectl'),
    `#!/bin/sh\nprintf '%s\\t' "$@" >> "${join(folder, 'told')}"; echo >> "${join(folder, 'told')}"\n`,
    { mode: 0o755 },
  );
  const { status, stderr } = spawnSync('sh', ['-eu', '-c', script], {
    cwd: folder,
    encoding: 'utf8',
    env: { PATH: `${bin}:/usr/bin:/bin`, TMPDIR: tmpdir() },
  });
  expect([status, stderr]).toEqual([0, '']);
  const told = readFileSync(join(folder, 'told'), 'utf8')
    .trim()
    .split('\n')
    .map((line) => line.split('\t').filter((part) => part !== ''));
  const creations = told
    .filter(([verb]) => verb !== 'apply')
    .map(([, namespace = '', ...rest]) => ({ namespace, rest }));
  expect(creations.map(({ namespace, rest }) => [namespace, ...rest.slice(0, 3)])).toEqual(
    creations.map(() => ['parley', 'create', 'secret', 'generic']),
  );
  return {
    applied: told.filter(([verb]) => verb === 'apply').map((parts) => parts.at(-1) ?? ''),
    secrets: new Map(
      creations.map(({ rest: [, , , name = '', ...values] }) => [name, Object.fromEntries(values.map(valueOf))]),
    ),
  };
}

function valueOf(flag: string): [string, string] {
  const [, kind, name = '', value = ''] = /^--from-(literal|file)=([A-Z0-9_]+)=(.+)$/.exec(flag) ?? [];
  return [name, kind === 'file' ? readFileSync(join(folder, value), 'utf8').trim() : value];
}

const { applied, secrets } = typeHandbook();
const objects = readRendered('prod');

test('the handbook applies what is there and makes the Secrets that pods and the Job take, no others', () => {
  for (const file of applied) expect(existsSync(join(root, file))).toBe(true);
  expect([...secrets.keys()].toSorted()).toEqual([...Object.keys(knownDeployables), 'migrate'].toSorted());
});

test.each(Object.entries(knownDeployables))(
  "with the handbook's Secret %s starts, and its keys are its own",
  (name, { config, variables }) => {
    const secret = secrets.get(name) ?? {};
    for (const variable of Object.keys(secret))
      expect([variable, variables.includes(variable) && secretVariables.has(variable)]).toEqual([variable, true]);
    const deployment = objects.find(
      ({ kind, metadata }) => kind === 'Deployment' && metadata.name === name,
    ) as unknown as Workload;
    const settings = config.safeParse({ ...environmentOf(deployment, objects), ...secret });
    expect(settings.error?.issues ?? []).toEqual([]);
    expect(keyFault(settings.data as ProcessConfig, name.replace(/^chat-.*/, 'chat') as Deployable)).toBeNull();
  },
);

test("with the handbook's Secret the Job finds MongoDB and Kafka", () => {
  const job = objects.find(({ kind }) => kind === 'Job') as unknown as Workload;
  const settings = { ...environmentOf(job, objects), ...secrets.get('migrate') };
  expect(
    processConfig.pick({ PARLEY_MONGO_URL: true }).safeParse(settings).success &&
      kafkaConfig.safeParse(settings).success,
  ).toBe(true);
});
