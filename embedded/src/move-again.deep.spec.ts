import { afterAll, beforeAll, expect, test } from '@jest/globals';
import { startEmbeddedMongo, type EmbeddedMongo } from '@parley/embedded-mongo';
import { FolderBlobs, type Blobs } from '@parley/platform/blobs';
import { S3Blobs } from '@parley/platform/blobs/s3';
import { newId } from '@parley/platform/ids';
import mongoose from 'mongoose';
import { cpSync, mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { openDataFolder, type DataFolder } from './data-folder.ts';
import { endMove, moveFolder, type MoveDestination } from './move-folder.ts';
import { newPerson, startTestParley } from './test-parley.spec-setup.ts';

const work = mkdtempSync(join(tmpdir(), 'parley-move-again-'));
let store: EmbeddedMongo;
let blobs: Blobs;
let folder: DataFolder;
let destinations = 0;

beforeAll(async () => {
  const path = join(work, 'data');
  const running = await startTestParley({}, { folder: path });
  const owner = await newPerson(running.url, { organisation: 'Movers' });
  await owner.upload('vpn.md', '# VPN\n\nRestart the gateway in pairs.');
  await owner.send(newId('conversation'), 'How do I restart the gateway?');
  await running.close();
  folder = await openDataFolder(path);
  store = await startEmbeddedMongo({ file: join(work, 'destination.sqlite') });
  blobs = await FolderBlobs.open(join(work, 'blobs'));
}, 60_000);
afterAll(async () => {
  await store.close();
  rmSync(work, { recursive: true, force: true });
});

type Fresh = MoveDestination & {
  in<Result>(database: string, act: (db: mongoose.Connection) => Promise<Result>): Promise<Result>;
};

/** Five empty databases. */
function aDestination(): Fresh {
  const name = `_${(destinations += 1)}`;
  const mongoUri = (database: string): string => store.uri(database + name);
  return {
    blobs,
    mongoUri,
    async in(database, act) {
      const connection = await mongoose.createConnection(mongoUri(database)).asPromise();
      return act(connection).finally(() => connection.close());
    },
  };
}

/** The same, whose database of billing cannot be reached once everything before it has been copied. */
function failingLate(destination: Fresh): Fresh {
  let asked = 0;
  return {
    ...destination,
    mongoUri(database) {
      if (database === 'parley_billing' && (asked += 1) === 3) throw new Error('the network is gone');
      return destination.mongoUri(database);
    },
  };
}

const countOf = (destination: Fresh, database: string, collection: string): Promise<number> =>
  destination.in(database, (db) => db.collection(collection).countDocuments());

test('what fails in the middle is run again as it was, and everything arrives once', async () => {
  const destination = aDestination();
  await expect(moveFolder(folder, failingLate(destination))).rejects.toThrow('the network is gone');
  expect(await countOf(destination, 'parley_chat', 'messages')).toBe(2);
  const moved = await moveFolder(folder, destination);
  expect(await moveFolder(folder, aDestination())).toEqual(moved);
  expect(await countOf(destination, 'parley_chat', 'messages')).toBe(2);
});

test('what has arrived whole is not copied again: what the new processes have written since stays', async () => {
  const destination = aDestination();
  const moved = await moveFolder(folder, destination);
  await destination.in('parley_auth', (db) => db.collection('users').insertOne({ name: 'New' }));
  expect(await moveFolder(folder, destination)).toEqual(moved);
  expect(await countOf(destination, 'parley_auth', 'users')).toBe(2);
  await endMove(folder, destination);
  await expect(moveFolder(folder, destination)).rejects.toThrow('is not empty: move into a fresh installation');
  expect(
    await destination.in('parley_auth', async (db) => (await db.listCollections()).map(({ name }) => name)),
  ).not.toContain('move_mark');
});

test('what Parley has written into the folder since is not left behind', async () => {
  const path = join(work, 'again');
  cpSync(folder.path, path, { recursive: true });
  const [destination, again] = [aDestination(), await openDataFolder(path)];
  await moveFolder(again, destination);
  const running = await startTestParley({}, { folder: path });
  await newPerson(running.url, { organisation: 'Late' });
  await running.close();
  await expect(moveFolder(again, destination)).rejects.toThrow('Parley has run on it since');
});

test('the beginning of another folder, and one on which a schema was made since, are left as they are', async () => {
  const destination = aDestination();
  await expect(moveFolder(folder, failingLate(destination))).rejects.toThrow('the network is gone');
  const path = join(work, 'other');
  await (await startTestParley({}, { folder: path })).close();
  await expect(moveFolder(await openDataFolder(path), destination)).rejects.toThrow(
    'the beginning of another data folder',
  );
  await destination.in('parley_org', (db) => db.collection('schema_state').insertOne({ version: 'x' }));
  await expect(moveFolder(folder, destination)).rejects.toThrow('its schema was made since');
  expect(await countOf(destination, 'parley_chat', 'messages')).toBe(2);
});

test('a storage that takes nothing is told before a document is written', async () => {
  const destination = aDestination();
  const away = S3Blobs.open({
    endpoint: 'http://127.0.0.1:1',
    region: 'us-east-1',
    bucket: 'parley',
    accessKeyId: 'id',
    secretAccessKey: 'key',
  });
  await expect(moveFolder(folder, { ...destination, blobs: away })).rejects.toThrow(
    'The storage of uploads cannot be used',
  );
  await away.close();
  expect(await destination.in('parley_auth', (db) => db.listCollections())).toEqual([]);
  // The same destination is a fresh one still.
  await moveFolder(folder, destination);
}, 60_000);
