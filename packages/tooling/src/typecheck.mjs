// Checks all backend sources and tests as one program, then the frontend.
import { spawnSync } from 'node:child_process';
import { existsSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';

const root = join(dirname(fileURLToPath(import.meta.url)), '../../..');
const tsc = join(root, 'node_modules/.bin/tsc');
for (const project of ['tsconfig.json', 'frontend/tsconfig.json']) {
  if (!existsSync(join(root, project))) continue;
  const run = spawnSync(tsc, ['--noEmit', '--checkers', '2', '-p', project], { cwd: root, stdio: 'inherit' });
  if (run.status !== 0) process.exitCode = 1;
}
