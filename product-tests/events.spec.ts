import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import { topics } from '@parley/contracts';
import { newId } from '@parley/platform/ids';
import { Mongo } from '@parley/platform/mongo';
import { eventually, openTestStore } from '@parley/testing';
import { ParleyClient } from '@parley/testing/client';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { newPerson, password, startTestParley, type TestParley } from '@parley/embedded/test-parley';
import type { EventEnvelope } from '@parley/protocol';

let running: TestParley;
let owner: ParleyClient;
let folder: string;
const secret = 'zanzibar-omelette';

beforeAll(async () => {
  folder = mkdtempSync(join(tmpdir(), 'parley-events-'));
  running = await startTestParley({}, { folder });
  owner = await newPerson(running.url, { organisation: 'Events' });
  await owner.upload(`${secret}.md`, `# ${secret}\n\n${secret} text`);
  for (let at = 0; at < 6; at += 1) await owner.send(newId('conversation'), `${secret} ${at}`);
}, 90_000);
afterAll(async () => {
  await running.close();
  rmSync(folder, { recursive: true });
});

const counted = async () =>
  (await owner.call('GET /api/monitoring/metrics', { query: { span: 'month', by: 'model' } })).total.figures;
const ledger = async () => (await owner.call('GET /api/billing/ledger-entries', { query: { limit: 100 } })).items;

/** All groups start over, and the log holds every chat event a second time, its keys in reverse order. */
async function rewindAndShuffle(): Promise<void> {
  const store = await openTestStore(join(folder, 'store.sqlite'), Infinity);
  const events = await Mongo.connect(store.uri('parley_events'));
  const [records, heads, offsets] = ['records', 'topic_heads', 'group_offsets'].map((name) =>
    events.connection.collection<{ _id: never; offset: number; envelope: string }>(name),
  );
  const log = (await records?.find({ topic: topics.chat }).sort({ offset: 1 }).toArray()) ?? [];
  const bySubject = Map.groupBy(log, (row) => (JSON.parse(row.envelope) as EventEnvelope).subject);
  const shuffled = [...bySubject.values()].toReversed().flat();
  expect(shuffled.map(({ offset }) => offset)).not.toEqual(log.map(({ offset }) => offset));
  const head = log.at(-1)?.offset ?? 0;
  await records?.insertMany(shuffled.map(({ _id, ...row }, index) => ({ ...row, offset: head + 1 + index })) as never);
  await heads?.updateOne({ _id: topics.chat as never }, { $set: { head: head + shuffled.length } });
  await offsets?.updateMany({}, { $set: { offset: -1 } });
  await events.close();
  await store.close();
}

/** What chat has told, each event once. */
async function recorded(): Promise<EventEnvelope[]> {
  const store = await Mongo.connect(running.parley.internals.storeUri('parley_events'));
  const rows = await store.connection.collection('records').find({ topic: topics.chat }).toArray();
  await store.close();
  const events = rows.map((row) => JSON.parse(String(row['envelope'])) as EventEnvelope);
  return [...new Map(events.map((event) => [event.id, event])).values()];
}

describe('events', () => {
  test('billing has one entry and monitoring one count for each attempt', async () => {
    await eventually(
      async () => expect([(await ledger()).length, (await counted()).attempts]).toEqual([6, 6]),
      'six attempts should be known',
    );
  });

  test('handled from the beginning again, and once more in another order across keys, they leave the same state', async () => {
    const before = { ledger: await ledger(), counted: await counted() };
    await running.close();
    await rewindAndShuffle();
    running = await startTestParley({}, { folder });
    const email = owner.me?.email ?? '';
    const { orgId } = owner;
    owner = new ParleyClient(running.url);
    await owner.signIn(email, password);
    owner.orgId = orgId;
    const marker = newId('conversation');
    await owner.send(marker, 'marker');
    await eventually(
      async () => expect((await ledger()).some(({ conversationId }) => conversationId === marker)).toBe(true),
      'the marker should come through behind them',
    );
    expect((await ledger()).filter(({ conversationId }) => conversationId !== marker)).toEqual(before.ledger);
    const { attempts, outputTokens } = before.counted;
    const grown = { attempts: attempts + 1, failed: 0, outputTokens };
    await eventually(async () => expect(await counted()).toMatchObject(grown), 'only the marker should count');
  }, 90_000);

  test('carry ids and numbers, never text, names of files or prompts', async () => {
    const all = await recorded();
    expect(all.length).toBeGreaterThan(15);
    expect(JSON.stringify(all)).not.toContain(secret);
    expect(JSON.stringify(all)).not.toContain(owner.me?.email);
  });

  test('have a contiguous sequence per subject', async () => {
    const bySubject = Map.groupBy(await recorded(), (event) => event.subject);
    expect(Math.max(...[...bySubject.values()].map(({ length }) => length))).toBeGreaterThan(3);
    for (const [, events] of bySubject) {
      expect(events.map(({ sequence }) => sequence).toSorted((one, other) => one - other)).toEqual(
        events.map((_event, index) => index + 1),
      );
    }
  });
});
