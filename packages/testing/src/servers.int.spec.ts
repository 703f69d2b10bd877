import { expect, test } from '@jest/globals';
import { collection, jobScope, Mongo } from '@parley/platform/mongo';
import { spawn } from 'node:child_process';
import { join } from 'node:path';
import { eventually } from './eventually.ts';
import { describeOn } from './describe-on.ts';
import { z } from 'zod';
import { askRedis, startGuarded, startRedis, startSecantus } from './servers/index.ts';

const thingRows = collection('things', { _id: z.string() }, { tenant: 'platform' });
const scope = jobScope('tests');

describeOn('the Redis of the tests', await startRedis({ isDurable: true }), (server) => {
  test('killed and started again it has its address and data', async () => {
    expect(await askRedis(server.url, 'SET key value')).toBe('+OK');
    await server.kill();
    await expect(askRedis(server.url, 'PING')).rejects.toThrow();
    await server.restart();
    expect(await askRedis(server.url, 'GET key')).toBe('value');
  });
});

describeOn('the SecantusDB of the tests', await startSecantus(), (server) => {
  test('it knows transactions, and killed and started again it serves at its address', async () => {
    const url = server.url.replace('/?', '/servers?');
    const write = await Mongo.connect(url);
    const things = write.rows(thingRows);
    await write.applyIndexes();
    await write.transaction((session) => things.within(scope, { session }).insert({ _id: 'one' }));
    const refused = write.transaction(async (session) => {
      await things.within(scope, { session }).insert({ _id: 'other' });
      throw new Error('not this one');
    });
    await expect(refused).rejects.toThrow('not this one');
    expect(await things.within(scope).find({})).toEqual([{ _id: 'one' }]);
    await write.close();
    await server.kill();
    await server.restart();
    const read = await Mongo.connect(url);
    expect(await read.connection.collection('nothing').countDocuments({})).toBe(0);
    await read.close();
  });
});

test('a server ends when the process that started it is killed', async () => {
  const starter = spawn(
    process.execPath,
    [
      '--input-type=module',
      '-e',
      `
    const { startGuarded } = await import(${JSON.stringify(join(import.meta.dirname, 'servers/guarded-process.ts'))});
    console.log((await startGuarded(['sleep', '600'], '/dev/null')).pid);
  `,
    ],
    { stdio: ['ignore', 'pipe', 'inherit'] },
  );
  const pid = await new Promise<number>((resolve) =>
    starter.stdout.once('data', (line: Buffer) => resolve(Number(line.toString()))),
  );
  expect(isAlive(pid)).toBe(true);
  starter.kill('SIGKILL');
  await eventually(() => !isAlive(pid), 'the server has ended');
});

test('a program that ends by itself is known to have ended', async () => {
  const program = await startGuarded(['true'], '/dev/null');
  await eventually(() => program.hasExited(), 'the end is known');
  await program.kill();
});

function isAlive(pid: number): boolean {
  try {
    return process.kill(pid, 0);
  } catch {
    return false;
  }
}
