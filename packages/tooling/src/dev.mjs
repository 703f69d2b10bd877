// Development: the services from source, restarted on change, and the frontend with hot reload in front of them.
import { spawn } from 'node:child_process';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { runTurbo } from './run-turbo.mjs';

const root = join(dirname(fileURLToPath(import.meta.url)), '../../..');
const backendPort = process.env.PARLEY_PORT ?? '3000';
const frontendPort = process.env.PARLEY_DEV_PORT ?? '5173';
const publicUrl = `http://localhost:${frontendPort}`;
if (runTurbo('build') !== 0) process.exit(1);

const watched = ['packages', 'services', 'bff', 'embedded', 'cli'].flatMap((folder) => [
  `--watch-path=${join(root, folder)}`,
]);
const source = ['--conditions=parley-source', '--import', join(root, 'packages/tooling/src/register.mjs')];
const backend = spawn(
  process.execPath,
  [
    '--watch',
    '--watch-preserve-output',
    ...watched,
    ...source,
    join(root, 'cli/src/cli.ts'),
    'start',
    '--port',
    backendPort,
    '--public-url',
    publicUrl,
  ],
  { cwd: root, stdio: 'inherit' },
);
const frontend = spawn(
  process.execPath,
  [join(root, 'node_modules/vite/bin/vite.js'), '--port', frontendPort, '--strictPort'],
  {
    cwd: join(root, 'frontend'),
    stdio: 'inherit',
    env: { ...process.env, PARLEY_DEV_BFF: `http://127.0.0.1:${backendPort}` },
  },
);
const stop = () => {
  backend.kill('SIGTERM');
  frontend.kill('SIGTERM');
};
process.on('SIGINT', stop);
process.on('SIGTERM', stop);
for (const child of [backend, frontend])
  child.on('exit', (code) => {
    stop();
    process.exitCode ??= code ?? 0;
  });
