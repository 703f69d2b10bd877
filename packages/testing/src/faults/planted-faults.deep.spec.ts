import { afterAll, beforeAll, expect, test } from '@jest/globals';
import { spawnSync } from 'node:child_process';
import { cpSync, mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { loadFaults, misfits, root } from './load-faults.ts';
import type { Fault } from './plant.ts';

let faults: readonly Fault[];
let folder: string;
beforeAll(async () => {
  faults = await loadFaults();
  folder = mkdtempSync(join(tmpdir(), 'parley-faults-'));
});
afterAll(() => rmSync(folder, { recursive: true, force: true }));

test('each planted fault fits the code of today', () => {
  expect(faults.length).toBeGreaterThan(100);
  // Only what tenancy, money, order and loss hold: StrykerJS flips conditions (ADR 0041).
  expect(faults.length).toBeLessThanOrEqual(130);
  expect(misfits(faults)).toEqual([]);
});

test('each still fits when all of its files are formatted by other rules', () => {
  const files = [...new Set(faults.map(({ file }) => file))];
  for (const file of files) {
    mkdirSync(dirname(join(folder, file)), { recursive: true });
    cpSync(join(root, file), join(folder, file));
  }
  const rules = { printWidth: 40, singleQuote: false, trailingComma: 'none', arrowParens: 'avoid', useTabs: true };
  writeFileSync(join(folder, '.oxfmtrc.json'), JSON.stringify(rules));
  const oxfmt = join(dirname(createRequire(import.meta.url).resolve('oxfmt/package.json')), 'bin/oxfmt');
  const run = spawnSync(process.execPath, [oxfmt, '.'], { cwd: folder, encoding: 'utf8' });
  expect({ status: run.status, stderr: run.stderr }).toEqual({ status: 0, stderr: '' });
  const read = (file: string) => readFileSync(join(folder, file), 'utf8');
  expect(files.filter((file) => read(file) === readFileSync(join(root, file), 'utf8'))).toEqual([]);
  expect(misfits(faults, read)).toEqual([]);
});
