import { spawnSync } from 'node:child_process';
import { existsSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { fillOnce } from './downloads.ts';

const installMs = 300_000;

/**
 * Puts a package of PyPI into an environment of its own under `home`, once; it is run as `python -m`. Gives the reason
 * why it is not there, or null.
 */
export function installPythonPackage(requirement: string, home: string): string | null {
  // The system's Python was upgraded: the environment leads to one that is gone.
  if (existsSync(home) && !existsSync(join(home, 'bin/python'))) rmSync(home, { recursive: true, force: true });
  return fillOnce(home, (fresh) => install(requirement, fresh));
}

function install(requirement: string, fresh: string): string | null {
  const steps: [string, string[]][] = [
    ['python3', ['-m', 'venv', fresh]],
    [join(fresh, 'bin/python'), ['-m', 'pip', 'install', '--quiet', '--disable-pip-version-check', requirement]],
  ];
  for (const [command, args] of steps) {
    const run = spawnSync(command, args, { encoding: 'utf8', timeout: installMs });
    if (run.error) return `no ${requirement}: ${run.error.message} (Debian: python3-venv)`;
    if (run.status !== 0) return `no ${requirement}: ${(run.stderr || run.stdout).trim().split('\n').at(-1)}`;
  }
  return null;
}
