// Runs a turbo task quietly: only failures print. Telemetry is off, since it would print a notice at the first run.
import { spawnSync } from 'node:child_process';
import { createRequire } from 'node:module';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';

const root = join(dirname(fileURLToPath(import.meta.url)), '../../..');

/** Runs `turbo run <task>` in the repository; prints its output only when it fails. Returns the exit code. */
export function runTurbo(task) {
  const turbo = createRequire(join(root, 'package.json')).resolve('turbo/bin/turbo');
  const run = spawnSync(process.execPath, [turbo, 'run', task, '--output-logs=errors-only', '--log-prefix=none'], {
    cwd: root,
    encoding: 'utf8',
    env: { ...process.env, TURBO_TELEMETRY_DISABLED: '1', TURBO_PRINT_VERSION_DISABLED: '1', DO_NOT_TRACK: '1' },
  });
  if (run.status !== 0) process.stderr.write(`${run.stdout ?? ''}${run.stderr ?? ''}`);
  return run.status ?? 1;
}

if (process.argv[1] === fileURLToPath(import.meta.url)) process.exitCode = runTurbo(process.argv[2] ?? 'build');
