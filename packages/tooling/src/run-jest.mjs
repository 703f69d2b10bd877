// Starts jest with native ES modules. `--build` builds first: slice tests of the BFF serve the built frontend.
import { spawn } from 'node:child_process';
import { createRequire } from 'node:module';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { runTurbo } from './run-turbo.mjs';

const root = join(dirname(fileURLToPath(import.meta.url)), '../../..');
const args = process.argv.slice(2);
if (args.includes('--build') && runTurbo('build') !== 0) process.exit(1);

const jest = join(dirname(createRequire(join(root, 'package.json')).resolve('jest/package.json')), 'bin/jest.js');
const flags = [
  '--experimental-vm-modules',
  // What runs natively finds packages' sources by it.
  '--conditions=parley-source',
  '--disable-warning=ExperimentalWarning',
  // Where very much code comes and goes, V8 ends a worker now and then ("Check failed: jit_page.has_value()", or without a
  // word); without its baseline compiler less of it does (nodejs/node#62393, #64500).
  '--no-sparkplug',
  // Jest and its workers end with this process.
  '--import',
  new URL('./end-with-parent.mjs', import.meta.url).href,
];
const run = spawn(process.execPath, [...flags, jest, ...args.filter((arg) => arg !== '--build')], {
  cwd: root,
  stdio: ['inherit', 'inherit', 'inherit', 'ipc'],
});
for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP']) process.on(signal, () => run.kill(signal));
run.once('exit', (status, signal) => {
  // `.ci/steps` looks for this line: it repeats a run whose process V8 ended.
  if (signal) console.error(`jest was ended by ${signal}`);
  process.exitCode = status ?? 1;
});
