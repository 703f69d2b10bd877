// Checks what changed since main: types, lint, and the specs of `npm test` that the change reaches, by imports or because
// they read files or start processes. `npm run check -- --changed [REVISION]`; uncommitted changes count too. Specs that
// start the whole product are left out unless they changed themselves: every service reaches all of them.
import { spawnSync } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';

const root = join(dirname(fileURLToPath(import.meta.url)), '../../..');
const isSpec = (file) => /\.(spec|test)\.tsx?$/.test(file) && !/\.(int|deep)\.spec\.ts$/.test(file);
const isOfProduct = (file) => /^(product-tests|embedded|cli)\//.test(file);

function read(command, args) {
  const { status, stdout, stderr } = spawnSync(command, args, { cwd: root, encoding: 'utf8', maxBuffer: 2 ** 28 });
  if (status === 0) return stdout;
  process.stderr.write(stderr);
  process.exit(1);
}
const linesOf = (text) => text.split('\n').filter((line) => line !== '');

/** Runs a command; its failure ends the check with exit code 1, after all others have run. */
function check(name, command, args) {
  const from = performance.now();
  const { status } = spawnSync(command, args, { cwd: root, stdio: 'inherit' });
  console.log(`${status === 0 ? 'ok     ' : 'FAILED '} ${name} (${((performance.now() - from) / 1_000).toFixed(0)} s)`);
  if (status !== 0) process.exitCode = 1;
}

const base = process.argv[2] ?? read('git', ['merge-base', 'HEAD', 'main']).trim();
const changed = [
  ...linesOf(read('git', ['diff', '--name-only', '--diff-filter=d', base])),
  ...linesOf(read('git', ['ls-files', '--others', '--exclude-standard'])),
];

/** Specs that import what changed, at any distance. */
function reached() {
  const folders = ['packages', 'services', 'bff', 'frontend/src'];
  const options = ['--config', '.dependency-cruiser.mjs', '--affected', base, '--output-type', 'json'];
  const { modules } = JSON.parse(read(join(root, 'node_modules/.bin/depcruise'), [...options, ...folders]));
  return modules.filter(({ matchesReaches }) => matchesReaches).map(({ source }) => source);
}

/** Specs whose subject is files or processes, which no import shows. */
function readingFiles() {
  const readsFiles = /\b(readFileSync|readdirSync|globSync|spawnSync|spawn|execFileSync|fork)\(/;
  const specs = linesOf(read('git', ['ls-files', '*.spec.ts', '*.test.ts', '*.test.tsx']));
  return specs.filter((file) => !isOfProduct(file) && readsFiles.test(readFileSync(join(root, file), 'utf8')));
}

check('typecheck', 'npm', ['run', '-s', 'typecheck']);
check('lint', 'npm', ['run', '-s', 'lint']);
const own = changed.filter(isSpec);
const specs = [...new Set([...own, ...reached(), ...readingFiles()])].filter(isSpec);
const plain = specs.filter((file) => !isOfProduct(file));
check(`${plain.length} specs`, 'npm', ['test', '--', '--silent', '--runTestsByPath', ...plain]);
const product = own.filter(isOfProduct);
if (product.length > 0)
  check(`${product.length} product specs`, 'npm', ['run', '-s', 'test:product', '--', '--runTestsByPath', ...product]);
