// Format, oxlint with types, the architecture rules, then what no tool knows: nouns in the frontend's lower layers.
import { spawnSync } from 'node:child_process';
import { existsSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { checkProductNouns } from './product-nouns.mjs';

const home = join(dirname(fileURLToPath(import.meta.url)), '../../..');
const bin = (name) => join(home, 'node_modules/.bin', name);
const folders = [
  'packages',
  'services',
  'bff',
  'embedded',
  'product-tests',
  'cli',
  'frontend/src',
  'e2e',
  'bench',
].filter((folder) => existsSync(join(home, folder)));

const runs = [
  [bin('oxfmt'), ['--list-different', '.']],
  [bin('oxlint'), ['--type-aware', '--deny-warnings', ...folders, 'arch.spec.ts']],
  [bin('depcruise'), ['--config', '.dependency-cruiser.mjs', '--output-type', 'err', ...folders]],
];
for (const [command, args] of runs) {
  const run = spawnSync(command, args, { cwd: home, encoding: 'utf8' });
  if (run.status === 0) continue;
  process.stderr.write(`${run.stdout}${run.stderr}`);
  process.exitCode = 1;
}
for (const line of checkProductNouns(home)) {
  process.stderr.write(`${line}\n`);
  process.exitCode = 1;
}
