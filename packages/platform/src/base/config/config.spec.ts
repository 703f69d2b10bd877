import { afterEach, expect, test } from '@jest/globals';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { z } from 'zod';
import { ConfigError, readConfig } from './config.ts';

const schema = z.object({
  PARLEY_PORT: z.coerce.number().int(),
  PARLEY_SECRET: z.string().min(8),
  PARLEY_MODE: z.enum(['a', 'b']).default('a'),
});
afterEach(() => {
  for (const name of Object.keys(process.env))
    if (name.startsWith('PARLEY_SECRET') || name === 'PARLEY_PORT') delete process.env[name];
});

test('names every invalid setting at once and shows no value', () => {
  process.env['PARLEY_SECRET'] = 'hunter2';
  process.env['PARLEY_PORT'] = 'many';
  expect(() => readConfig(schema, { PARLEY_MODE: 'zebra' })).toThrow(ConfigError);
  try {
    readConfig(schema, { PARLEY_MODE: 'zebra' });
  } catch (error) {
    const { message } = error as Error;
    expect(['PARLEY_PORT', 'PARLEY_SECRET', 'PARLEY_MODE'].every((name) => message.includes(name))).toBe(true);
    expect(message).not.toMatch(/hunter2|many|zebra/);
  }
});

test('a flag overrides a variable, and a file can hold the value of a setting', () => {
  const folder = mkdtempSync(join(tmpdir(), 'parley-config-'));
  writeFileSync(join(folder, 'secret'), 'from a file\n');
  process.env['PARLEY_SECRET_FILE'] = join(folder, 'secret');
  process.env['PARLEY_PORT'] = '1';
  expect(readConfig(schema, { PARLEY_PORT: '2' })).toEqual({
    PARLEY_PORT: 2,
    PARLEY_SECRET: 'from a file',
    PARLEY_MODE: 'a',
  });
  rmSync(folder, { recursive: true });
});

test('reports an unreadable file as an error of its variable, together with other errors', () => {
  process.env['PARLEY_SECRET_FILE'] = '/nowhere/secret';
  process.env['PARLEY_PORT'] = 'many';
  expect(() => readConfig(schema)).toThrow(
    /PARLEY_SECRET: the file that PARLEY_SECRET_FILE names cannot be read \(ENOENT\)\n {2}PARLEY_PORT: .*$/,
  );
});
