import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import { openDataFolder } from '@parley/embedded';
import { startEmbeddedMongo, type EmbeddedMongo } from '@parley/embedded-mongo';
import { Mongo } from '@parley/platform/mongo';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { listLetters, replayLetter, showLetter } from './letters.ts';

const id = 'record-usage|evt_1';
const key = 'record-usage|gen_1';
const letter = {
  _id: id,
  consumer: 'record-usage',
  key,
  reason: 'failed',
  cause: { name: 'Error', message: 'no such price\nat all', stack: null },
  attempts: 4,
  at: new Date('2026-01-02T03:04:05Z'),
  replayedAt: null,
  eventId: 'evt_1',
  type: 'generation.attempt-ended.v1',
  subject: 'gen_1',
  topic: 'parley.chat',
  partition: 0,
  offset: '7',
  envelope: '{}',
};
const parkedKey = {
  _id: key,
  consumer: 'record-usage',
  state: 'stopped',
  attempts: 4,
  appended: 1,
  nextAttemptAt: new Date(),
  leaseUntil: new Date(0),
};

let folder: string;
beforeAll(async () => {
  folder = mkdtempSync(join(tmpdir(), 'parley-letters-'));
  await openDataFolder(folder);
});
afterAll(() => rmSync(folder, { recursive: true }));

const openStore = (): Promise<EmbeddedMongo> => startEmbeddedMongo({ file: join(folder, 'store.sqlite') });
async function inBilling<Result>(store: EmbeddedMongo, act: (mongo: Mongo) => Promise<Result>): Promise<Result> {
  const mongo = await Mongo.connect(store.uri('parley_billing'));
  return act(mongo).finally(() => mongo.close());
}
const plant = (mongo: Mongo): Promise<unknown> =>
  Promise.all([
    mongo.connection.collection('dead_letters').replaceOne({ _id: id as never }, letter, { upsert: true }),
    mongo.connection.collection('parked_keys').replaceOne({ _id: key as never }, parkedKey, { upsert: true }),
  ]);
const stateOfKey = async (mongo: Mongo): Promise<unknown> =>
  (await mongo.connection.collection('parked_keys').findOne({ _id: key as never }))?.['state'];

describe.each(['a data folder', 'MongoDB'] as const)('dead letters in %s', (edition) => {
  let served: EmbeddedMongo | null = null;
  let options: { data?: string };
  beforeAll(async () => {
    const store = await openStore();
    await inBilling(store, plant);
    if (edition === 'a data folder') await store.close();
    else {
      served = store;
      process.env['PARLEY_MONGO_URL'] = store.uri('').replace(/\/(\?|$)/, '/$1');
    }
    options = edition === 'a data folder' ? { data: folder } : {};
  });
  afterAll(async () => {
    delete process.env['PARLEY_MONGO_URL'];
    await served?.close();
  });

  test('are listed, of all services or of one', async () => {
    const line = `billing  ${id}  2026-01-02T03:04:05.000Z  failed  generation.attempt-ended.v1 gen_1  no such price`;
    expect(await listLetters(options)).toEqual([line]);
    expect(await listLetters({ ...options, service: 'billing' })).toEqual([line]);
    expect(await listLetters({ ...options, service: 'monitoring' })).toEqual(['No dead letters.']);
    await expect(listLetters({ ...options, service: 'bff' })).rejects.toThrow('choose one of');
  });

  test('are shown with their cause', async () => {
    expect((await showLetter(id, options)).join('\n')).toMatch(/gen_1 wait behind it[^]*4 attempts[^]*at all[^]*\{\}/);
    await expect(showLetter('other|evt_1', options)).rejects.toThrow('There is no dead letter other|evt_1.');
  });

  test('are replayed once: the key is tried again', async () => {
    expect(await replayLetter(id, options)).toEqual([expect.stringMatching(/^billing handles it again/)]);
    await expect(replayLetter(id, options)).rejects.toThrow('can be replayed');
    const store = served ?? (await openStore());
    expect(await inBilling(store, stateOfKey)).toBe('retrying');
    if (!served) await store.close();
  });
});

test('a data folder is not looked at while its Parley runs, nor where there is none', async () => {
  const running = await openStore();
  await expect(listLetters({ data: folder })).rejects.toMatchObject({ code: 'data-folder-locked' });
  await running.close();
  await expect(listLetters({ data: join(folder, 'blobs') })).rejects.toThrow('holds no Parley data');
});
