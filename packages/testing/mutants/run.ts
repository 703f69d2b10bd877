import { spawn } from 'node:child_process';
import { cpSync, mkdtempSync, readFileSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { allMutants } from './all-mutants.ts';
import { misfits } from './misfits.ts';
import type { Mutant } from './mutant.ts';

/**
 * Plants each fault, one at a time, and runs the spec that has to notice: `npm run mutants`, `-- --only TEXT` for some.
 * Killed is a mutant for which a test is red; a spec that cannot even be loaded proves nothing. Fails below 95 %.
 */
const root = join(import.meta.dirname, '../../..');
const jest = join(dirname(createRequire(import.meta.url).resolve('jest/package.json')), 'bin/jest.js');
const leastShare = 0.95;
const atOnce = 2;
const longestMs = 180_000;

type Outcome = 'killed' | 'survived' | 'broken';
type Report = {
  readonly numFailedTests: number;
  readonly numPassedTests: number;
  readonly numRuntimeErrorTestSuites: number;
};

const store = 'packages/embedded-mongo';

/** The store's code with the fault: its thread reads files, not what the transform makes of them. */
function copyStore({ file, find, put }: Mutant, folder: string): string | undefined {
  if (!file.startsWith(`${store}/src/`)) return undefined;
  const copy = join(folder, 'store');
  cpSync(join(root, store), copy, { recursive: true, filter: (path) => !path.includes('node_modules') });
  symlinkSync(join(root, 'node_modules'), join(copy, 'node_modules'));
  const target = join(copy, file.slice(store.length));
  writeFileSync(
    target,
    readFileSync(target, 'utf8').replace(find, () => put),
  );
  return join(copy, 'src');
}

function runSpec(spec: string, mutant: Mutant | null): Promise<Report | null> {
  const folder = mkdtempSync(join(tmpdir(), 'parley-mutant-'));
  const file = join(folder, 'report.json');
  const flags = ['--experimental-vm-modules', '--disable-warning=ExperimentalWarning'];
  const args = [
    ...flags,
    jest,
    '--config',
    join(root, 'jest.mutants.config.mjs'),
    '--json',
    `--outputFile=${file}`,
    spec,
  ];
  const planted = mutant && { ...mutant, storeFolder: copyStore(mutant, folder) };
  const env = { ...process.env, ...(planted && { PARLEY_MUTANT: JSON.stringify(planted) }) };
  const child = spawn(process.execPath, args, { cwd: root, env, stdio: 'ignore', timeout: longestMs });
  return new Promise((resolve) => {
    child.once('close', () => {
      // Only this run's own limit: a process that the machine ended for want of memory proves nothing.
      const isHung = child.killed && mutant !== null;
      if (isHung) process.stdout.write(`killed by the limit only: ${mutant.breaks} [${mutant.file}]\n`);
      resolve(isHung ? hung : readReport(file));
      rmSync(folder, { recursive: true, force: true });
    });
  });
}

function readReport(file: string): Report | null {
  try {
    return JSON.parse(readFileSync(file, 'utf8')) as Report;
  } catch {
    return null;
  }
}

/** Without an end: a person who waits for the test sees that, too. */
const hung: Report = { numFailedTests: 1, numPassedTests: 0, numRuntimeErrorTestSuites: 0 };

function outcomeOf(report: Report | null): Outcome {
  if (!report || report.numRuntimeErrorTestSuites > 0) return 'broken';
  if (report.numFailedTests > 0) return 'killed';
  return report.numPassedTests > 0 ? 'survived' : 'broken';
}

async function inTurn<Item>(items: readonly Item[], work: (item: Item) => Promise<void>): Promise<void> {
  const waiting = [...items];
  const worker = async () => {
    for (let item = waiting.shift(); item !== undefined; item = waiting.shift()) await work(item);
  };
  await Promise.all(Array.from({ length: atOnce }, worker));
}

const at = process.argv.indexOf('--only');
const only = at === -1 ? '' : (process.argv[at + 1] ?? '');
const mutants = allMutants.filter(({ breaks, file, spec }) => `${breaks} ${file} ${spec}`.includes(only));
const faults = misfits(mutants);
const outcomes = new Map<Mutant, Outcome>();

if (faults.length === 0) {
  await inTurn([...new Set(mutants.map(({ spec }) => spec))], async (spec) => {
    if (outcomeOf(await runSpec(spec, null)) !== 'survived') faults.push(`${spec} is red without any mutant`);
  });
}
if (faults.length === 0) {
  await inTurn(mutants, async (mutant) => {
    const outcome = outcomeOf(await runSpec(mutant.spec, mutant));
    outcomes.set(mutant, outcome);
    const reason = mutant.survives ? ` (${mutant.survives})` : '';
    if (outcome !== 'killed') process.stdout.write(`${outcome}: ${mutant.breaks} [${mutant.file}]${reason}\n`);
  });
}
for (const fault of faults) process.stdout.write(`${fault}\n`);
const counted = [...outcomes].filter(([mutant, outcome]) => outcome === 'killed' || mutant.survives === undefined);
const killed = counted.filter(([, outcome]) => outcome === 'killed').length;
process.stdout.write(
  `${killed} of ${outcomes.size} mutants killed, ${counted.length - killed} unexplained survivors\n`,
);
process.exitCode = faults.length === 0 && killed >= leastShare * counted.length ? 0 : 1;
