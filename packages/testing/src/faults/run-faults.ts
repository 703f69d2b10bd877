import { spawn } from 'node:child_process';
import { cpSync, mkdtempSync, readFileSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { loadFaults, misfits, readSource, root } from './load-faults.ts';
import { plant, type Fault } from './plant.ts';

/**
 * Plants each fault, one at a time, and runs the spec that has to notice: `npm run faults`, `-- --only TEXT` for some.
 * Killed is a fault for which a test is red; a spec that cannot even be loaded proves nothing. Fails below 95 %.
 */
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

/** The store's code with the fault: its thread reads files, not what the load hook makes of them. */
function copyStore(file: string, source: string, folder: string): string | undefined {
  if (!file.startsWith(`${store}/src/`)) return undefined;
  const copy = join(folder, 'store');
  cpSync(join(root, store), copy, { recursive: true, filter: (path) => !path.includes('node_modules') });
  symlinkSync(join(root, 'node_modules'), join(copy, 'node_modules'));
  writeFileSync(join(copy, file.slice(store.length)), source);
  return join(copy, 'src');
}

/** What `register.mjs` reads from `PARLEY_FAULT`. */
function prepare(fault: Fault, folder: string): string {
  const source = plant(readSource(fault.file), fault);
  const planted = join(folder, 'planted');
  writeFileSync(planted, source);
  return JSON.stringify({ file: fault.file, planted, storeFolder: copyStore(fault.file, source, folder) });
}

function runSpec(spec: string, fault: Fault | null): Promise<Report | null> {
  const folder = mkdtempSync(join(tmpdir(), 'parley-fault-'));
  const report = join(folder, 'report.json');
  const args = [
    '--conditions=parley-source',
    '--disable-warning=ExperimentalWarning',
    jest,
    '--config',
    join(root, 'jest.faults.config.mjs'),
    '--json',
    `--outputFile=${report}`,
    '--runTestsByPath',
    spec,
  ];
  const env = { ...process.env, ...(fault && { PARLEY_FAULT: prepare(fault, folder) }) };
  const child = spawn(process.execPath, args, { cwd: root, env, stdio: 'ignore', timeout: longestMs });
  return new Promise((resolve) => {
    child.once('close', () => {
      // Only this run's own limit: a process that the machine ended for want of memory proves nothing.
      const isHung = child.killed && fault !== null;
      if (isHung) process.stdout.write(`killed by the limit only: ${fault.breaks} [${fault.file}]\n`);
      resolve(isHung ? hung : readReport(report));
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

/** Once more where it proves nothing: the machine may have ended it for want of memory. */
async function tryOut(spec: string, fault: Fault | null): Promise<Outcome> {
  const outcome = outcomeOf(await runSpec(spec, fault));
  return outcome === 'broken' ? outcomeOf(await runSpec(spec, fault)) : outcome;
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
const faults = (await loadFaults()).filter(({ breaks, file, spec }) => `${breaks} ${file} ${spec}`.includes(only));
const problems = misfits(faults);
const say = (line: string) => process.stdout.write(`${line}\n`);
let killed = 0;

if (problems.length === 0) {
  await inTurn([...Map.groupBy(faults, ({ spec }) => spec)], async ([spec, own]) => {
    if ((await tryOut(spec, null)) !== 'survived') problems.push(`${spec} is red without any fault`);
    else
      for (const fault of own) {
        const outcome = await tryOut(spec, fault);
        if (outcome === 'killed') killed += 1;
        else say(`${outcome}: ${fault.breaks} [${fault.file}] by ${spec}`);
      }
  });
}
for (const problem of problems) say(problem);
say(`${killed} of ${faults.length} faults killed`);
process.exitCode = problems.length === 0 && killed >= leastShare * faults.length ? 0 : 1;
