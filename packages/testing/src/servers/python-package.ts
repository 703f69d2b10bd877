import { spawnSync } from 'node:child_process';
import { existsSync, mkdirSync, renameSync, rmSync } from 'node:fs';
import { dirname, join } from 'node:path';

const installMs = 300_000;

/**
 * Puts a package of PyPI into an environment of its own under `home`, once; it is run as `python -m`. Gives the reason
 * why it is not there, or null.
 */
export function installPythonPackage(requirement: string, home: string): string | null {
  if (existsSync(join(home, 'bin/python'))) return null;
  const fresh = `${home}.${process.pid}`;
  mkdirSync(dirname(home), { recursive: true });
  try {
    const steps: [string, string[]][] = [
      ['python3', ['-m', 'venv', fresh]],
      [join(fresh, 'bin/python'), ['-m', 'pip', 'install', '--quiet', '--disable-pip-version-check', requirement]],
    ];
    for (const [command, args] of steps) {
      const run = spawnSync(command, args, { encoding: 'utf8', timeout: installMs });
      if (run.error) return `no ${requirement}: ${run.error.message} (Debian: python3-venv)`;
      if (run.status !== 0) return `no ${requirement}: ${(run.stderr || run.stdout).trim().split('\n').at(-1)}`;
    }
    if (!existsSync(home)) renameSync(fresh, home);
    return null;
  } finally {
    rmSync(fresh, { recursive: true, force: true });
  }
}
