// Mutates the core files with StrykerJS, one after the other, each against its own specs (`npm run mutation`): `-- --only
// TEXT` for some, `-- --minutes N` begins no file later. What did not change since the last run is not run again.
import { Stryker } from '@stryker-mutator/core';
import { mkdirSync, mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { coreFiles, leastKilled } from '../../../mutation.config.mjs';

const root = join(import.meta.dirname, '../../..');
const kept = join(root, 'node_modules/.cache/parley/mutation');
process.chdir(root);
mkdirSync(kept, { recursive: true });
// Not in the repository: Jest there would find two of each package.
const copies = mkdtempSync(join(tmpdir(), 'parley-mutation-'));
process.once('exit', () => rmSync(copies, { recursive: true, force: true }));
for (const signal of ['SIGINT', 'SIGTERM']) process.once(signal, () => process.exit(1));

const optionOf = (name, otherwise) => {
  const at = process.argv.indexOf(`--${name}`);
  return at === -1 ? otherwise : (process.argv[at + 1] ?? otherwise);
};
const only = optionOf('only', '');
const beginUntil = Date.now() + Number(optionOf('minutes', '240')) * 60_000;

const copied = ['packages', 'services', 'bff', 'embedded', 'frontend', 'package.json', 'jest.mutation.config.mjs'];

const optionsFor = (file) => ({
  mutate: [file],
  incremental: true,
  incrementalFile: join(kept, `${file.replaceAll('/', '+')}.json`),
  // What the specs load. Our packages come from the copy, too.
  ignorePatterns: ['/*', ...copied.map((path) => `!/${path}`), 'dist'],
  symlinkNodeModules: false,
  tempDirName: copies,
  cleanTempDir: 'always',
  buildCommand: `node packages/tooling/src/own-packages.mjs ${root}`,
  testRunner: 'jest',
  testRunnerNodeArgs: ['--experimental-vm-modules', '--disable-warning=ExperimentalWarning'],
  // The specs are named, so Jest needn't find which ones are related.
  jest: { configFile: 'jest.mutation.config.mjs', enableFindRelatedTests: false },
  coverageAnalysis: 'perTest',
  ignoreStatic: true,
  // Parameter decorators; words of logs and names are no promises.
  mutator: { plugins: ['decorators-legacy'], excludedMutations: ['StringLiteral'] },
  concurrency: 1,
  // Native ES modules are never freed.
  maxTestRunnerReuse: 25,
  timeoutMS: 30_000,
  reporters: [],
  logLevel: 'error',
  allowConsoleColors: false,
});

const isKilled = ({ status }) => status === 'Killed' || status === 'Timeout';
const isCounted = ({ status }) => isKilled({ status }) || status === 'Survived' || status === 'NoCoverage';
const say = (line) => process.stdout.write(`${line}\n`);
const percent = (mutants) => ((100 * mutants.filter(isKilled).length) / mutants.length).toFixed(1);

const all = [];
for (const { file, specs } of coreFiles.filter((core) => core.file.includes(only))) {
  if (Date.now() > beginUntil) {
    say(`${file}: not begun`);
    continue;
  }
  const began = Date.now();
  process.env.PARLEY_MUTATION_SPECS = specs.join(' ');
  const mutants = (await new Stryker(optionsFor(file)).runMutationTest()).filter(isCounted);
  for (const { status, location, mutatorName, replacement } of mutants.filter((mutant) => !isKilled(mutant)))
    say(`${status}: ${file}:${location.start.line}:${location.start.column} ${mutatorName} ${replacement}`);
  say(`${file}: ${percent(mutants)} % of ${mutants.length} in ${Math.round((Date.now() - began) / 1_000)} s`);
  all.push(...mutants);
}
say(`${percent(all)} % of ${all.length} mutants killed, at least ${leastKilled} %`);
process.exitCode = percent(all) >= leastKilled ? 0 : 1;
