import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import { startEmbeddedMongo, type EmbeddedMongo } from '@parley/embedded-mongo';
import { FolderBlobs } from '@parley/platform/blobs';
import { newId } from '@parley/platform/ids';
import type { EventEnvelope } from '@parley/protocol';
import { eventually } from '@parley/testing';
import { redPng } from '@parley/testing/files';
import mongoose from 'mongoose';
import { mkdtempSync, readdirSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { buffer } from 'node:stream/consumers';
import { setTimeout as wait } from 'node:timers/promises';
import { openDataFolder } from './data-folder.ts';
import { openStoppedStore } from './open-stopped-store.ts';
import { endMove, moveFolder, type MoveDestination } from './move-folder.ts';
import type { MovedPart } from './move-mark.ts';
import { newPerson, startTestParley } from './test-parley.spec-setup.ts';

const work = mkdtempSync(join(tmpdir(), 'parley-move-'));
const folder = join(work, 'data');
const day = 24 * 3_600;
let store: EmbeddedMongo;
let destination: MoveDestination;
let moved: MovedPart[];
const imageId = newId('file');

beforeAll(async () => {
  const running = await startTestParley({}, { folder });
  const owner = await newPerson(running.url, { organisation: 'Movers' });
  await owner.upload('vpn.md', '# VPN\n\nRestart the gateway in pairs.');
  const conversation = newId('conversation');
  await owner.attach(imageId, 'Red.png', new Uint8Array(redPng));
  await eventually(
    async () =>
      expect((await owner.call('GET /api/chat/files', { query: { ids: imageId } })).items[0]?.status).toBe('ready'),
    'the image should be read',
  );
  await owner.send(conversation, 'How do I restart the gateway?', { files: [{ id: imageId, use: 'auto' }] });
  await eventually(
    async () => expect((await owner.messages(conversation)).items.at(-1)?.generation?.status).toBe('done'),
    'the answer should end',
  );
  await eventually(
    async () => expect((await owner.call('GET /api/billing/ledger-entries')).items).toHaveLength(1),
    'the answer should be billed',
  );
  await running.close();
  await age();
  store = await startEmbeddedMongo({ file: join(work, 'destination.sqlite') });
  destination = { mongoUri: (database) => store.uri(database), blobs: await FolderBlobs.open(join(work, 'blobs')) };
  await withDatabase(
    store,
    'parley_chat',
    async (chat) => void (await chat.collection('outbox').createIndex(...expiring.outbox)),
  );
  await withDatabase(
    store,
    'parley_billing',
    async (billing) => void (await billing.collection('event_inbox').createIndex(...expiring.inbox)),
  );
  const opened = await openDataFolder(folder);
  moved = await moveFolder(opened, destination);
  await endMove(opened, destination);
}, 90_000);
afterAll(async () => {
  await store.close();
  rmSync(work, { recursive: true, force: true });
});

/** As a schema migration of the destination makes them; the store looks each second for what has expired. */
const expiring = {
  outbox: [{ publishedAt: 1 }, { expireAfterSeconds: day }],
  inbox: [{ at: 1 }, { expireAfterSeconds: 14 * day }],
} as const;

async function withDatabase<Result>(
  on: EmbeddedMongo,
  database: string,
  work: (connection: mongoose.Connection) => Promise<Result>,
): Promise<Result> {
  const connection = await mongoose.createConnection(on.uri(database)).asPromise();
  try {
    return await work(connection);
  } finally {
    await connection.close();
  }
}

const begunAt = Date.now();
/** Parley was stopped 20 days ago: all that the log holds and what the inboxes know is older than they keep it. */
async function age(): Promise<void> {
  const source = await startEmbeddedMongo({
    file: join(folder, 'store.sqlite'),
    keepsExpiredMs: Number.POSITIVE_INFINITY,
  });
  const then = new Date(begunAt - 20 * day * 1_000);
  await withDatabase(source, 'parley_events', (events) =>
    events.collection('records').updateMany({}, { $set: { at: then } }),
  );
  await withDatabase(source, 'parley_billing', (billing) =>
    billing.collection('event_inbox').updateMany({}, { $set: { at: then } }),
  );
  await source.close();
}

/** The events that a service has told, with their numbers. */
async function loggedBy(service: string): Promise<string[]> {
  const source = await openStoppedStore(folder);
  const records = await withDatabase(source, 'parley_events', (events) =>
    events.collection('records').find({}).toArray(),
  );
  await source.close();
  return records
    .map(({ envelope }) => JSON.parse(String(envelope)) as EventEnvelope)
    .filter((event) => event.source === service)
    .map(({ id, sequence }) => `${id} ${sequence}`)
    .toSorted();
}

const part = (name: string): MovedPart | undefined => moved.find((each) => each.name === name);

describe('moving a data folder', () => {
  test('brings every document of every service, and the uploads, with their counts and checksums', async () => {
    expect([
      part('parley_auth.users')?.count,
      part('parley_org.organisations')?.count,
      part('parley_chat.messages')?.count,
      part('parley_chat.documents')?.count,
      part('parley_chat.chat_files')?.count,
    ]).toEqual([1, 1, 2, 1, 1]);
    // The document, and the image as it was and as models see it.
    expect(part('uploads (3), bytes')?.count).toBeGreaterThan(20);
    for (const { checksum } of moved) expect(checksum).toMatch(/^[0-9a-f]{64}$/);
    expect(moved.map(({ name }) => name.split('.')[0])).not.toContain('parley_events');
  });

  test('brings an image of a chat as it was and as models see it', async () => {
    const row = await withDatabase(store, 'parley_chat', (chat) =>
      chat.collection('chat_files').findOne({ _id: imageId as never }),
    );
    const key = row!['fileKey'] as string;
    const [file, seen] = [await destination.blobs.get(key), await destination.blobs.get(`${key}-seen`)];
    expect((await buffer(file!)).equals(redPng)).toBe(true);
    expect(row).toMatchObject({ status: 'ready', image: { width: 64, height: 48 }, bytes: redPng.length });
    expect(await buffer(seen!)).toHaveLength(row!['textBytes']);
  });

  test('keeps dates and numbers what they were', async () => {
    const message = await withDatabase(store, 'parley_chat', (chat) =>
      chat.collection('messages').findOne({ role: 'person' }),
    );
    expect([message?.['createdAt'] instanceof Date, message?.['position'], message?.['text']]).toEqual([
      true,
      1,
      'How do I restart the gateway?',
    ]);
  });

  test('has the events of the last day go out again', async () => {
    const rows = await withDatabase(store, 'parley_chat', (chat) => chat.collection('outbox').find({}).toArray());
    const logged = await loggedBy('chat');
    expect(logged.length).toBeGreaterThan(2);
    expect(rows.map(({ _id, sequence }) => `${String(_id)} ${String(sequence)}`).toSorted()).toEqual(logged);
    expect(rows.filter(({ published, publishedAt }) => published !== false || publishedAt !== undefined)).toEqual([]);
  });

  test('has inboxes know what they have handled, however long Parley was stopped', async () => {
    await wait(1_500);
    const known = await withDatabase(store, 'parley_billing', (billing) =>
      billing.collection('event_inbox').find({}).toArray(),
    );
    expect(known).toHaveLength(part('parley_billing.event_inbox')?.count ?? 0);
    expect(known).toHaveLength(1);
    expect(known[0]?.['at'].getTime()).toBeGreaterThanOrEqual(begunAt);
    expect(
      await withDatabase(store, 'parley_billing', async (billing) =>
        Object.keys(await billing.collection('event_inbox').indexInformation()),
      ),
    ).toEqual(['_id_']);
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
