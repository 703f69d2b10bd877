import { spawnSync } from 'node:child_process';
import { existsSync, mkdirSync, renameSync, rmSync } from 'node:fs';
import { dirname, join } from 'node:path';
import mongoose from 'mongoose';
import { startServer, type Skipped, type TestServer } from './test-server.ts';

const version = '0.7.0b3';
const installMs = 300_000;
const home = join(import.meta.dirname, `../../../../node_modules/.cache/parley/secantusdb-${version}`);

/**
 * SecantusDB: a MongoDB-compatible server written independently of ours, the second opinion about what the stores do. GPL-2.0, so
 * it is installed for tests on the machine that runs them, never shipped and never imported.
 */
export async function startSecantus(): Promise<TestServer | Skipped> {
  const reason = install();
  if (reason !== null) return { skipped: reason };
  const url = (port: number): string => `mongodb://127.0.0.1:${port}/?directConnection=true`;
  return startServer({
    name: 'secantus',
    version,
    url,
    command: (port, folder) => [join(home, 'bin/python'), '-m', 'secantus', '--port', String(port), '--storage-path', join(folder, 'data'), '--enable-test-commands'],
    isServing: async (port) => {
      const connection = mongoose.createConnection(url(port), { serverSelectionTimeoutMS: 1_000 });
      try {
        await connection.asPromise();
        await connection.getClient().db('admin').command({ ping: 1 });
        return true;
      } finally {
        await connection.close();
      }
    },
  });
}

/** Puts the package into an environment of its own, once. Gives the reason why it is not there, or null. */
function install(): string | null {
  if (existsSync(join(home, 'bin/python'))) return null;
  const fresh = `${home}.${process.pid}`;
  mkdirSync(dirname(home), { recursive: true });
  try {
    const steps: [string, string[]][] = [
      ['python3', ['-m', 'venv', fresh]],
      [join(fresh, 'bin/python'), ['-m', 'pip', 'install', '--quiet', '--disable-pip-version-check', `secantusdb==${version}`]],
    ];
    for (const [command, args] of steps) {
      const run = spawnSync(command, args, { encoding: 'utf8', timeout: installMs });
      if (run.error) return `no SecantusDB: ${run.error.message} (Debian: python3-venv)`;
      if (run.status !== 0) return `no SecantusDB: ${(run.stderr || run.stdout).trim().split('\n').at(-1)}`;
    }
    if (!existsSync(home)) renameSync(fresh, home); // Started as `python -m`, so it may move.
    return null;
  } finally {
    rmSync(fresh, { recursive: true, force: true });
  }
}
