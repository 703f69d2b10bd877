import { afterAll, beforeAll, expect, test } from '@jest/globals';
import { startEmbeddedMongo, type EmbeddedMongo } from '@parley/embedded-mongo';
import { eventually } from '@parley/testing/eventually';
import { Mongo } from './index.ts';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

/** Longer than the five seconds after which a heartbeat over a network times out. */
const stallMs = 7_000;
let folder: string;
let store: EmbeddedMongo;
let mongo: Mongo;
beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'parley-stall-'));
  store = await startEmbeddedMongo({ file: join(folder, 'store.db'), testCommands: true });
  mongo = await Mongo.connect(store.uri('stalled'));
});
afterAll(async () => {
  await mongo.close();
  await store.close();
  await rm(folder, { recursive: true, force: true });
});

/** Answers heartbeats and handshakes of new connections seconds late, as if a command held the store. */
const stall = () =>
  mongo.connection
    .db!.admin()
    .command({
      configureFailPoint: 'failCommand',
      mode: 'alwaysOn',
      data: { failCommands: ['hello', 'ismaster'], blockConnection: true, blockTimeMS: stallMs },
    });

test('a caller waits while the embedded store stands still and then gets its response, and the pool keeps its connections', async () => {
  const cleared: unknown[] = [];
  const client = mongo.connection.getClient();
  client.on('connectionPoolCleared', (event) => cleared.push(event));
  let longestMs = 0;
  client.on('serverHeartbeatSucceeded', ({ duration }) => (longestMs = Math.max(longestMs, duration)));
  let wasAway = false;
  const looking = setInterval(() => (wasAway ||= mongo.isAway), 100);
  const rows = mongo.connection.collection('rows');
  await rows.insertOne({ n: 1 });
  await stall();
  const asked = Promise.all(Array.from({ length: 8 }, () => rows.findOne({ n: 1 })));
  await eventually(() => longestMs >= stallMs - 100, 'a heartbeat should be answered late');
  clearInterval(looking);
  expect(wasAway).toBe(false);
  expect((await asked).map((row) => row?.['n'])).toEqual(Array.from({ length: 8 }, () => 1));
  await mongo.connection.db!.admin().command({ configureFailPoint: 'failCommand', mode: 'off' });
  expect(await rows.findOne({ n: 1 })).toMatchObject({ n: 1 });
  expect(cleared).toEqual([]);
}, 120_000);
