import { startEmbeddedMongo } from '@parley/embedded-mongo';
import { mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join, relative } from 'node:path';
import { setTimeout as wait } from 'node:timers/promises';
import { startKafka } from './kafka.ts';
import { startRedis } from './redis.ts';
import { startS3 } from './s3.ts';
import { startSecantus } from './secantus.ts';
import type { Skipped, TestServer } from './test-server.ts';

/**
 * `npm run infra`: real servers for work on the distributed edition, until Ctrl-C, `npm run infra -- down` or another
 * `npm run infra`. `npm run infra -- try` ends them at once: afterwards all that they need is installed.
 */
type Running = Pick<TestServer, 'url' | 'version' | 'close'>;
type Program = { readonly name: string; readonly variable: string; readonly start: () => Promise<Running | Skipped> };

const programs: readonly Program[] = [
  { name: 'Kafka', variable: 'PARLEY_KAFKA_BROKERS', start: startKafka },
  { name: 'Redis', variable: 'PARLEY_REDIS_URL', start: startRedis },
  { name: 'SecantusDB', variable: 'PARLEY_MONGO_URL', start: startSecantus },
  { name: 'embedded-mongo, in place of SecantusDB', variable: '# PARLEY_MONGO_URL', start: startStore },
  { name: 'S3 (moto)', variable: '# S3', start: startS3 },
];
/** What the servers are called, to be read by a shell. Who started them ends them when it is gone or another's. */
const variables = join(import.meta.dirname, '../../../../node_modules/.cache/parley/infra.env');
const lookMs = 300;

async function startStore(): Promise<Running> {
  const folder = mkdtempSync(join(tmpdir(), 'parley-infra-'));
  const store = await startEmbeddedMongo({ file: join(folder, 'infra.db'), testCommands: true });
  return {
    url: store.uri('').replace(/\/(\?|$)/, '/$1'),
    version: '',
    async close() {
      await store.close();
      rmSync(folder, { recursive: true, force: true });
    },
  };
}

async function startOne({ name, variable, start }: Program): Promise<{ line: string; running: Running | null }> {
  const skipped = (reason: string) => ({ line: `# skipped: ${name}: ${reason}`, running: null });
  try {
    const running = await start();
    if ('skipped' in running) return skipped(running.skipped);
    return { line: `${variable}='${running.url}' # ${name} ${running.version}`.trimEnd(), running };
  } catch (error) {
    return skipped(error instanceof Error ? error.message : String(error));
  }
}

function written(): string | null {
  try {
    return readFileSync(variables, 'utf8');
  } catch {
    return null;
  }
}

async function start() {
  const started = await Promise.all(programs.map(startOne));
  const serving = started.flatMap(({ running }) => running ?? []);
  return {
    lines: `${started.map(({ line }) => line).join('\n')}\n`,
    counts: `${serving.length} serve, ${started.length - serving.length} skipped`,
    close: () => Promise.all(serving.map((running) => running.close())),
  };
}

async function tryAll(): Promise<void> {
  const { lines, counts, close } = await start();
  console.log(`${lines}# ${counts}.`);
  await close();
}

async function up(): Promise<void> {
  let isWanted = true;
  for (const signal of ['SIGINT', 'SIGTERM'] as const) process.once(signal, () => void (isWanted = false));
  const { lines: mine, counts, close } = await start();
  mkdirSync(dirname(variables), { recursive: true });
  writeFileSync(variables, mine);
  console.log(
    `${mine}# ${counts}; the same lines are in ${relative(process.cwd(), variables)}. Ctrl-C or \`npm run infra -- down\` ends them.`,
  );
  while (isWanted && written() === mine) await wait(lookMs);
  await close();
  if (written() === mine) rmSync(variables);
}

if (process.argv[2] === 'down') {
  console.log(written() === null ? 'Nothing is running.' : 'The servers end.');
  rmSync(variables, { force: true });
} else if (process.argv[2] === 'try') {
  await tryAll();
} else {
  await up();
}
