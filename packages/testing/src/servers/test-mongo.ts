import { Mongo } from '@parley/platform/mongo';
import { spawn } from 'node:child_process';
import { randomBytes } from 'node:crypto';
import { join } from 'node:path';
import { startSecantus } from './secantus.ts';
import type { Skipped, TestServer } from './test-server.ts';

/**
 * `npm run test:mongo`: every spec that keeps documents, on the replica set that `MONGO_URL` names, its primary first,
 * else on SecantusDB.
 */
type Server = Pick<TestServer, 'url' | 'close'>;

const root = join(import.meta.dirname, '../../../..');
/** The databases of this run are called so, and no others are touched. */
const run = `parley_test_${randomBytes(4).toString('hex')}`;

async function startServer(): Promise<Server | Skipped> {
  const given = process.env['MONGO_URL'];
  return given === undefined ? startSecantus() : { url: given, close: async () => undefined };
}

/** What the server calls itself. Throws when it has no transactions. */
async function describeServer(admin: Mongo): Promise<string> {
  const hello = await admin.connection.db!.command({ hello: 1 });
  if (hello['setName'] === undefined)
    throw new Error(
      'MONGO_URL must name a replica set: transactions need one. One member will do (`mongod --replSet rs`, then `rs.initiate()`).',
    );
  const { version } = await admin.connection.db!.command({ buildInfo: 1 });
  return `MongoDB ${version}`;
}

function runJest(mongoUrl: string): Promise<number> {
  const args = [
    join(root, 'packages/tooling/src/run-jest.mjs'),
    '--build',
    '--config',
    'jest.mongo.config.mjs',
    ...process.argv.slice(2),
  ];
  const jest = spawn(process.execPath, args, {
    cwd: root,
    stdio: 'inherit',
    env: { ...process.env, MONGO_URL: mongoUrl, PARLEY_TEST_RUN: run },
  });
  return new Promise((resolve) => void jest.once('exit', (code) => resolve(code ?? 1)));
}

async function dropAll(admin: Mongo): Promise<void> {
  const { databases } = await admin.connection.db!.admin().listDatabases({ nameOnly: true });
  for (const { name } of databases) if (name.startsWith(run)) await admin.connection.useDb(name).dropDatabase();
}

async function test(server: Server): Promise<number> {
  const admin = await Mongo.connect(server.url);
  try {
    console.log(
      `On ${process.env['MONGO_URL'] === undefined ? 'SecantusDB, which says it is ' : ''}${await describeServer(admin)}.`,
    );
    return await runJest(server.url);
  } finally {
    await dropAll(admin);
    await admin.close();
    await server.close();
  }
}

const server = await startServer();
if ('skipped' in server) console.log(`skipped: documents on MongoDB: ${server.skipped}\nTests: 1 skipped, 1 total`);
else process.exitCode = await test(server);
