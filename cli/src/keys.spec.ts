import { afterAll, expect, test } from '@jest/globals';
import { deployables } from '@parley/contracts';
import { createKeyRing } from '@parley/platform/crypto';
import { keyFault, processConfig, sealingKey } from '@parley/platform/process-config';
import { mkdtempSync, readdirSync, readFileSync, rmSync, statSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { writeKeys } from './keys.ts';

const folder = mkdtempSync(join(tmpdir(), 'parley-keys-'));
afterAll(() => rmSync(folder, { recursive: true, force: true }));
const { PARLEY_SIGNING_KEY, PARLEY_PUBLIC_KEYS } = processConfig.shape;

test('each deployable gets a key of its own that all know; nobody else may read it, nothing is overwritten', async () => {
  const keys = join(folder, 'new');
  expect(await writeKeys(keys)).toEqual([...deployables.map((name) => `${name}.json`), 'public.json', 'sealing.key']);
  for (const name of readdirSync(keys)) expect(statSync(join(keys, name)).mode & 0o777).toBe(0o600);
  const read = (name: string) => readFileSync(join(keys, name), 'utf8').trim();
  const publicKeys = PARLEY_PUBLIC_KEYS.parse(read('public.json'));
  const signing = deployables.map((name) => PARLEY_SIGNING_KEY.parse(read(`${name}.json`)));
  expect(
    deployables.map((name, at) => keyFault({ PARLEY_SIGNING_KEY: signing[at]!, PARLEY_PUBLIC_KEYS: publicKeys }, name)),
  ).toEqual(deployables.map(() => null));
  expect(new Set(signing.map((key) => key.private.d)).size).toBe(deployables.length);
  expect(sealingKey.parse(read('sealing.key'))).toHaveLength(32);
  await expect(writeKeys(keys)).rejects.toThrow('There are keys');
});

test('those of one ring may be written again, also where only some are there; others are kept', async () => {
  const [keys, ring] = [join(folder, 'again'), await createKeyRing()];
  const names = await writeKeys(keys, ring);
  const before = names.map((name) => readFileSync(join(keys, name), 'utf8'));
  rmSync(join(keys, 'org.json'));
  expect(await writeKeys(keys, ring)).toEqual(names);
  expect(names.map((name) => readFileSync(join(keys, name), 'utf8'))).toEqual(before);
  await expect(writeKeys(keys, await createKeyRing())).rejects.toThrow('There are keys');
});

test('a key of somebody else, or of another set, is named', async () => {
  const [one, other] = [join(folder, 'one'), join(folder, 'other')];
  await Promise.all([writeKeys(one), writeKeys(other)]);
  const signing = PARLEY_SIGNING_KEY.parse(readFileSync(join(one, 'org.json'), 'utf8'));
  const fault = (set: string, deployable: 'auth' | 'org') =>
    keyFault(
      {
        PARLEY_SIGNING_KEY: signing,
        PARLEY_PUBLIC_KEYS: PARLEY_PUBLIC_KEYS.parse(readFileSync(join(set, 'public.json'), 'utf8')),
      },
      deployable,
    );
  expect([fault(one, 'org'), fault(one, 'auth'), fault(other, 'org')]).toEqual([
    null,
    expect.stringContaining('is the key of org'),
    expect.stringContaining('not of the same set'),
  ]);
});
