import { expect, test } from '@jest/globals';
import { describeSkipped, eventually } from '@parley/testing';
import { ParleyClient } from '@parley/testing/client';
import { startInfrastructure, type Infrastructure } from '@parley/testing/distributed';
import { spawn } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { createServer } from 'node:net';
import { join } from 'node:path';

const root = join(import.meta.dirname, '../..');
const handbook = readFileSync(join(root, 'docs/how-to/deploy-distributed.md'), 'utf8');
const block = (name: string): string =>
  new RegExp(`<!-- ${name} -->\\n\`\`\`sh\\n([^]*?)\`\`\`\\n<!-- end of ${name} -->`).exec(handbook)?.[1] ?? '';
const processes = 7;
const managementFrom = 6_460;
const readyWithinMs = 90_000;

const servers = await startInfrastructure();
if ('skipped' in servers) describeSkipped('the handbook', servers);
else test('what the handbook says is typed, and seven processes are ready', () => typeAsAReader(servers), 240_000);

async function typeAsAReader(running: Infrastructure): Promise<void> {
  const port = await freePorts();
  const yours = block('yours')
    .replace(/^export PARLEY_MONGO_URL=.*$/m, `export ${settingsOf(running)}`)
    .replace(/^keys=\S+/m, `keys=${running.folder}/keys`)
    .replace(/^uploads=\S+/m, `uploads=${running.folder}/uploads`)
    .replace(/^port=\d+/m, `port=${port}`);
  const typed = block('typed');
  expect(typed.match(/^(PARLEY_ROLE=\w+ )?start \d/gm)).toHaveLength(processes);
  const shell = spawn('bash', ['-ec', `${yours}\n${typed}\nwait`], {
    cwd: root,
    detached: true,
    stdio: ['ignore', 'pipe', 'pipe'],
    env: { PATH: process.env['PATH'], HOME: process.env['HOME'], PARLEY_REGISTRATION: 'open', PARLEY_UNREADY_MS: '0' },
  });
  let said = '';
  for (const stream of [shell.stdout, shell.stderr])
    stream.on('data', (chunk) => (said = (said + chunk).slice(-4_000)));
  try {
    await eventually(
      async () => {
        const statuses = Array.from({ length: processes }, (_unused, at) =>
          fetch(`http://127.0.0.1:${port + managementFrom + at}/health/ready`).then(({ status }) => status),
        );
        expect(await Promise.all(statuses)).toEqual(Array.from({ length: processes }, () => 200));
      },
      'all should be ready',
      readyWithinMs,
    ).catch((error: unknown) => {
      throw new Error(`What the processes said last:\n${said}`, { cause: error });
    });
    const person = new ParleyClient(`http://localhost:${port}`);
    await person.register({ name: 'Ada', email: 'ada@example.com', password: 'three quiet herons' });
    expect(await person.createOrganisation('Typed')).toBeDefined();
  } finally {
    process.kill(-shell.pid!, 'SIGKILL');
    await running.close();
  }
}

const settingsOf = ({ mongoUrl, kafka, redis }: Infrastructure): string =>
  `PARLEY_MONGO_URL='${mongoUrl}' PARLEY_KAFKA_BROKERS=${kafka.url} PARLEY_REDIS_URL=${redis.url}`;

/**
 * Returns the first of a range of free ports; the ports of the probes above it are free, too. All are below 32,768: the
 * system gives higher ones to outgoing connections, which could take one before its process listens.
 */
async function freePorts(): Promise<number> {
  for (let port = 20_000 + (process.pid % 500) * 10; ; port += 10) {
    const all = Array.from({ length: processes }, (_unused, at) => [port + at, port + managementFrom + at]).flat();
    if ((await Promise.all(all.map(isFree))).every(Boolean)) return port;
  }
}

const isFree = (port: number): Promise<boolean> =>
  new Promise((resolve) => {
    const server = createServer()
      .once('error', () => resolve(false))
      .listen(port, '127.0.0.1', () => server.close(() => resolve(true)));
  });
