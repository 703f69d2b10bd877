import { expect, test } from '@jest/globals';
import { spawnSync } from 'node:child_process';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

const register = join(import.meta.dirname, '../../tooling/src/register.mjs');
const command = ['--conditions=parley-source', '--import', register, join(import.meta.dirname, 'read-file.ts')];

test('npm run read:document prints the passages of a file with their headings', () => {
  const folder = mkdtempSync(join(tmpdir(), 'parley-read-'));
  writeFileSync(join(folder, 'leave.md'), '# Leave\n\nThirty days.\n\n## Carry-over\n\nUntil March.\n');
  const { stdout, status } = spawnSync(process.execPath, [...command, join(folder, 'leave.md')], { encoding: 'utf8' });
  rmSync(folder, { recursive: true });
  expect(stdout).toBe(
    'leave.md (text/markdown), passages: 2\n\n[1] Leave\nThirty days.\n\n[2] Leave › Carry-over\nUntil March.\n',
  );
  expect(status).toBe(0);
});
