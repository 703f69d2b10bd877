import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import { startEmbeddedMongo, type EmbeddedMongo } from '@parley/embedded-mongo';
import { FolderBlobs } from '@parley/platform/blobs';
import { newId } from '@parley/platform/ids';
import { eventually } from '@parley/testing';
import mongoose from 'mongoose';
import { mkdtempSync, readdirSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { openDataFolder } from './data-folder.ts';
import { moveFolder, type MoveDestination, type MovedPart } from './move-folder.ts';
import { newPerson, startTestParley } from './test-parley.spec-setup.ts';

const work = mkdtempSync(join(tmpdir(), 'parley-move-'));
const folder = join(work, 'data');
let store: EmbeddedMongo;
let destination: MoveDestination;
let moved: MovedPart[];

beforeAll(async () => {
  const running = await startTestParley({}, { folder });
  const owner = await newPerson(running.url, { organisation: 'Movers' });
  await owner.upload('vpn.md', '# VPN\n\nRestart the gateway in pairs.');
  const conversation = newId('conversation');
  await owner.send(conversation, 'How do I restart the gateway?');
  await eventually(async () => expect((await owner.messages(conversation)).items.at(-1)?.generation?.status).toBe('done'), 'the answer should end');
  await running.close();
  store = await startEmbeddedMongo({ file: join(work, 'destination.sqlite') });
  destination = { mongoUri: (database) => store.uri(database), blobs: await FolderBlobs.open(join(work, 'blobs')) };
  moved = await moveFolder(await openDataFolder(folder), destination);
}, 90_000);
afterAll(async () => {
  await store.close();
  rmSync(work, { recursive: true, force: true });
});

const part = (name: string): MovedPart | undefined => moved.find((each) => each.name === name);

describe('moving a data folder', () => {
  test('brings every document of every service, and the uploads, with their counts and checksums', async () => {
    expect([part('parley_auth.users')?.count, part('parley_org.organisations')?.count, part('parley_chat.messages')?.count, part('parley_chat.documents')?.count]).toEqual([1, 1, 2, 1]);
    expect(part('uploads (1), bytes')?.count).toBeGreaterThan(20);
    for (const { checksum } of moved) expect(checksum).toMatch(/^[0-9a-f]{64}$/);
    expect(moved.map(({ name }) => name.split('.')[0])).not.toContain('parley_events');
  });

  test('keeps dates and numbers what they were', async () => {
    const connection = await mongoose.createConnection(store.uri('parley_chat')).asPromise();
    const message = await connection.collection('messages').findOne({ role: 'person' });
    expect([message?.['createdAt'] instanceof Date, message?.['position'], message?.['text']]).toEqual([true, 1, 'How do I restart the gateway?']);
    await connection.close();
  });

  test('has the events of the last day go out again', async () => {
    const connection = await mongoose.createConnection(store.uri('parley_chat')).asPromise();
    const [all, unpublished] = [await connection.collection('outbox').countDocuments({}), await connection.collection('outbox').countDocuments({ published: false })];
    expect(all).toBeGreaterThan(2);
    expect(unpublished).toBe(all);
    await connection.close();
  });

  test('leaves the folder as it was: it starts again with everything in it', async () => {
    expect(readdirSync(folder)).toContain('store.sqlite');
    const again = await startTestParley({}, { folder });
    await again.close();
  });

  test('refuses a destination that holds something already', async () => {
    await expect(moveFolder(await openDataFolder(folder), destination)).rejects.toThrow('is not empty');
  });

  test('refuses a folder that a running Parley uses', async () => {
    const running = await startTestParley({}, { folder });
    await expect(moveFolder(await openDataFolder(folder), destination)).rejects.toThrow();
    await running.close();
  });
});
