import { afterEach, beforeAll, expect, test } from '@jest/globals';
import type { DocumentId } from '@parley/contracts';
import type { Blobs } from '@parley/platform/blobs';
import { newId } from '@parley/platform/ids';
import { jobScope } from '@parley/platform/mongo';
import type { Platform } from '@parley/platform/service';
import { job } from '@parley/platform/work';
import type { OrgId } from '@parley/protocol';
import { eventually, silentLogger, TestJobs } from '@parley/testing';
import { PassThrough, Readable } from 'node:stream';
import { chatBench } from '../../../testing/chat-bench.spec-setup.ts';
import type { ChatSettings } from '../../../chat.config.ts';
import { defaultConnectionIdOf } from '../../connections/index.ts';
import { DocumentReader } from './document-reader.ts';
import { Readers } from './readers.ts';
import { readFile, readLongFile } from './reading-jobs.ts';
import { blobKey, newDocument } from '../rows/document.ts';

const bench = await chatBench();
const { documentRows: documents, documents: service, retrieval, work, clock, ready } = bench;
const tests = jobScope('tests');
/** Longer than any test: nothing is broken off, however busy the machine is. */
const neverMs = 600_000;
const soonMs = 500;
const processes: TestJobs[] = [];
const hanging: PassThrough[] = [];
beforeAll(ready);
afterEach(async () => {
  for (const stream of hanging.splice(0)) stream.end('Late.');
  await Promise.all(processes.splice(0).map((one) => one.end()));
  await bench.mongo.connection.collection('jobs').deleteMany({});
});

/** Returns what a process opens, in this order. Documents of these organisations, or with these ids, take as long as the test. */
async function opensOf(
  slow: readonly string[],
  flows: Record<OrgId, string> = {},
  quickReadMs = neverMs,
): Promise<string[]> {
  const opened: string[] = [];
  const get = async (key: string): Promise<Readable> => {
    opened.push(key);
    if (!slow.some((part) => key.includes(part.toLowerCase()))) return Readable.from([Buffer.from('Thirty days.')]);
    const stream = new PassThrough();
    hanging.push(stream);
    return stream;
  };
  const platform = { logger: silentLogger() } as unknown as Platform;
  const of = (orgId: OrgId): string => flows[orgId] ?? orgId;
  const settings = { workers: 1, quickReadMs } as ChatSettings;
  const parts = [documents, service, retrieval, { get } as unknown as Blobs, work, clock] as const;
  const own = new Readers(work, clock);
  new DocumentReader(...parts, settings, platform, own).onModuleInit();
  const jobs = new TestJobs(bench, { of }).with(readFile, own).with(readLongFile, own);
  processes.push(jobs);
  await jobs.start();
  return opened;
}
async function store(orgId: OrgId, id: DocumentId = newId('document'), queuedBy = 'usr'): Promise<string> {
  clock.advance(1);
  const file = { id, orgId, connectionId: defaultConnectionIdOf(orgId), name: 'Plan.txt', bytes: 12 };
  const row = newDocument({ ...file, mediaType: 'text/plain' }, 'Somebody', clock.now(), { queuedBy });
  await work.run(job('tests'), (tx) => documents.create(tests.in(orgId), row, tx));
  return blobKey(row);
}
const untilOpened = (opened: readonly string[], key: string) =>
  eventually(() => opened.includes(key), 'the document is read');

test('documents that take long let those of another flow have their turns, over however many organisations', async () => {
  const [first, second, other] = [newId('organisation'), newId('organisation'), newId('organisation')];
  for (const orgId of [first, second, first, second]) await store(orgId);
  const theirs = [await store(other), await store(other)];
  const opened = await opensOf([first, second], { [first]: 'usr_slow', [second]: 'usr_slow' }, soonMs);
  for (const key of theirs) await untilOpened(opened, key);
  // Each in the turn after one of them; the first of them is opened again among those that take long.
  expect(opened.indexOf(theirs[0]!)).toBeLessThanOrEqual(2);
});

test('a short document is read while one of the same organisation takes long', async () => {
  const [orgId, long] = [newId('organisation'), newId('document')];
  const theirs = await store(orgId, long);
  const opened = await opensOf([long], {}, soonMs);
  await eventually(() => opened.filter((key) => key === theirs).length === 2, 'it is read among those that take long');
  await untilOpened(opened, await store(orgId));
});

test('behind a hundred and more documents of one organisation another one has the next turn, and colleagues have theirs', async () => {
  const [busy, other] = [newId('organisation'), newId('organisation')];
  for (let count = 0; count < 120; count += 1) await store(busy, undefined, 'usr_busy');
  const [colleague, theirs] = [await store(busy, undefined, 'usr_colleague'), await store(other)];
  const opened = await opensOf([]);
  await untilOpened(opened, theirs);
  await untilOpened(opened, colleague);
  expect(opened.indexOf(theirs)).toBeLessThan(4);
  expect(opened.indexOf(colleague)).toBeLessThan(8);
});

test('the order is that of arrival, whatever id a client made', async () => {
  const orgId = newId('organisation');
  const keys = [await store(orgId), await store(orgId)];
  keys.push(await store(orgId, `doc_${'0'.repeat(26)}` as DocumentId));
  const opened = await opensOf([]);
  await untilOpened(opened, keys[2]!);
  expect(opened).toEqual(keys);
});

test('however many organisations have documents that take long, another one has its turn', async () => {
  const slow = Array.from({ length: 4 }, () => newId('organisation'));
  const ids = slow.map(() => newId('document'));
  const theirs: string[] = [];
  for (const [at, orgId] of slow.entries()) theirs.push(await store(orgId, ids[at]));
  const opened = await opensOf(slow, {}, soonMs);
  for (const key of theirs) await untilOpened(opened, key);
  // All four were aborted. One is read again, and three wait for it to finish.
  await eventually(async () => {
    const rows = await Promise.all(ids.map((id, at) => documents.find(tests.in(slow[at]!), id)));
    expect(rows.map((row) => row?.takesLong)).toEqual([true, true, true, true]);
    expect(rows.filter((row) => row?.status === 'stored')).toHaveLength(3);
  }, 'three wait for the one that goes on');
  await untilOpened(opened, await store(newId('organisation')));
  expect(opened.filter((key) => theirs.includes(key))).toHaveLength(5);
});
