import { afterEach, beforeAll, describe, expect, test } from '@jest/globals';
import type { Blobs } from '@parley/platform/blobs';
import { newId } from '@parley/platform/ids';
import { jobRows } from '@parley/platform/jobs';
import { jobScope } from '@parley/platform/mongo';
import type { Platform } from '@parley/platform/service';
import { job } from '@parley/platform/work';
import { eventually, silentLogger, TestJobs } from '@parley/testing';
import { endlessPdf, pageOf, pdfOf, sealedPdf } from '@parley/testing/files';
import { PassThrough, Readable } from 'node:stream';
import { chatBench } from '../../../testing/chat-bench.spec-setup.ts';
import type { ChatSettings } from '../../../chat.config.ts';
import { defaultConnectionIdOf } from '../../connections/index.ts';
import { unreadDocumentsToJobs } from '../document-jobs.ts';
import type { DocumentRow } from '../rows/document.collection.ts';
import { DocumentReader } from './document-reader.ts';
import { Readers } from './readers.ts';
import { readFile, readLongFile } from './reading-jobs.ts';
import { newDocument, toDocument } from '../rows/document.ts';

const bench = await chatBench();
const { documentRows: documents, documents: service, retrieval, work, clock, ready } = bench;
const tests = jobScope('tests');
const processes: TestJobs[] = [];
beforeAll(ready);
afterEach(() => Promise.all(processes.splice(0).map((one) => one.end())));

const good = (): Readable => Readable.from([Buffer.from('Thirty days.')]);
/** Breaks the reader off, as one does that needs too much memory. */
const breaking = (): Readable =>
  Readable.from(
    (async function* () {
      yield Buffer.from('Thirty');
      throw new Error('gone');
    })(),
  );

/** A process that reads documents, and how often it has opened a file. */
async function aProcess(open: (key: string) => Readable | null) {
  const opened = { count: 0 };
  const blobs = { get: async (key: string) => ((opened.count += 1), open(key)) } as unknown as Blobs;
  const platform = { logger: silentLogger() } as unknown as Platform;
  const settings = { workers: 1, quickReadMs: 600_000 } as ChatSettings;
  const own = new Readers(work, clock);
  new DocumentReader(documents, service, retrieval, blobs, work, clock, settings, platform, own).onModuleInit();
  const jobs = new TestJobs(bench).with(readFile, own).with(readLongFile, own);
  processes.push(jobs);
  await jobs.start();
  return opened;
}
async function store(mediaType: DocumentRow['mediaType'] = 'text/plain'): Promise<DocumentRow> {
  const orgId = newId('organisation');
  const connectionId = defaultConnectionIdOf(orgId);
  const file = { id: newId('document'), orgId, connectionId, name: 'Plan.txt', bytes: 12 };
  const row = newDocument({ ...file, mediaType }, 'Somebody', clock.now());
  await work.run(job('tests'), (tx) => documents.create(tests.in(row.orgId), row, tx));
  return row;
}
const find = ({ orgId, _id }: DocumentRow) => documents.find(tests.in(orgId), _id);
const untilIs = (row: DocumentRow, status: DocumentRow['status']) =>
  eventually(async () => (await find(row))?.status === status, `the document is ${status}`);
const jobOf = ({ _id }: DocumentRow) => bench.mongo.rows(jobRows).within(tests).findById(`read-file/${_id}`);
/** Waits like `untilIs`, and skips the pauses between attempts. */
const untilEndsAs = (row: DocumentRow, status: DocumentRow['status']) =>
  eventually(async () => {
    const isPausing = (await jobOf(row))?.state === 'later';
    if (isPausing) clock.advance(5_000);
    if (isPausing) await processes.at(-1)!.look();
    return (await find(row))?.status === status;
  }, `the document is ${status} in the end`);
/** Leaves the document as a process does that dies while it reads; its lease is over. */
async function dieReading({ orgId, _id }: DocumentRow): Promise<DocumentRow | null> {
  const { rows } = bench.outbox.jobs;
  await rows.wakeDue(clock.now());
  const until = new Date(clock.now().getTime() + readFile.leaseMs);
  expect(await rows.claim({ _id: `read-file/${_id}` }, { holder: 'dead', until })).not.toBeNull();
  const seen = await documents.find(tests.in(orgId), _id);
  const taken = await documents.claim(tests.in(orgId), seen!, until);
  clock.advance(readFile.leaseMs);
  return taken;
}

test('a passage of a PDF is found with its page', async () => {
  const pdf = pdfOf([pageOf('Leave', [['Each has 28 days.']]), pageOf('Parking', [['The car park opens at seven.']])]);
  const row = await store('application/pdf');
  await aProcess(() => Readable.from([pdf]));
  await untilIs(row, 'searchable');
  const scope = tests.in(row.orgId);
  const within = [defaultConnectionIdOf(row.orgId)];
  const [found] = await retrieval.search(scope, within, 'When does the car park open?', 1);
  expect(found).toMatchObject({ heading: 'Parking', place: { kind: 'page', number: 2 } });
  expect(await retrieval.find(scope, within, found!.chunkId)).toMatchObject({ place: { kind: 'page', number: 2 } });
});

test('a mail is searchable and says which of its attachments was not read, until a newer version has none', async () => {
  const row = await store('message/rfc822');
  const mail = (name: string) =>
    [
      'Subject: Rent',
      'Content-Type: multipart/mixed; boundary=x',
      '',
      '--x',
      'Content-Type: text/plain',
      '',
      'It is 80 EUR.',
      '--x',
      `Content-Disposition: attachment; filename=${name}`,
      '',
      'Garage 80',
      '--x--',
    ].join('\r\n');
  let content = mail('plan.docx');
  await aProcess(() => Readable.from([Buffer.from(content)]));
  await untilIs(row, 'searchable');
  const unread = async () => toDocument((await find(row))!).unreadAttachments;
  expect(await unread()).toEqual([{ name: 'plan.docx', flaw: 'damaged' }]);
  content = mail('plan.txt');
  const scope = tests.in(row.orgId);
  const { _id: id, orgId, name, bytes, mediaType } = row;
  const file = { id, orgId, name, bytes, mediaType, connectionId: defaultConnectionIdOf(orgId) };
  const newer = newDocument(file, 'Somebody', clock.now());
  await work.run(job('tests'), (tx) => documents.replace(scope, newer, tx));
  expect((await find(row))?.status).toBe('stored');
  await untilIs(row, 'searchable');
  expect(await unread()).toEqual([]);
});

test('when a process stops, another one reads its documents at once and counts no attempt', async () => {
  const row = await store('application/pdf');
  let content = endlessPdf();
  await aProcess(() => Readable.from([content]));
  await untilIs(row, 'reading');
  await processes.pop()!.end();
  expect(await jobOf(row)).toMatchObject({ state: 'ready', attempts: 0 });
  content = pdfOf([pageOf('Leave', [['Each has 28 days.']])]);
  await aProcess(() => Readable.from([content]));
  await untilIs(row, 'searchable');
});

test('a process that stops before a document is opened leaves it, too', async () => {
  const row = await store('application/pdf');
  const open = Promise.withResolvers<Readable>();
  const opened = await aProcess(() => open.promise as unknown as Readable);
  await eventually(() => opened.count === 1, 'the file is about to be opened');
  const stopped = processes.pop()!.end();
  open.resolve(Readable.from([endlessPdf()]));
  await stopped;
  expect(await jobOf(row)).toMatchObject({ state: 'ready', attempts: 0 });
  await aProcess(() => Readable.from([pdfOf([pageOf('Leave', [['Each has 28 days.']])])]));
  await untilIs(row, 'searchable');
});

test('while a document is read it says how far that is', async () => {
  const row = await store('application/pdf');
  await aProcess(() =>
    Readable.from([pdfOf(Array.from({ length: 600 }, (_, at) => pageOf(null, [[`${at * at} herons.`]])))]),
  );
  const read = await eventually(async () => {
    const progress = (await find(row))?.progress;
    expect(progress).toMatchObject({ stage: 'reading', of: 600 });
    return progress;
  }, 'the document says how far it is');
  expect(read!.done).toBeGreaterThan(0);
  await untilIs(row, 'searchable');
  expect(await find(row)).toMatchObject({ progress: null, passageCount: 600 });
});

test('what was replaced while it was read is not found any more', async () => {
  const row = await store();
  const scope = tests.in(row.orgId);
  const finds = async (word: string) =>
    (await retrieval.search(scope, [defaultConnectionIdOf(row.orgId)], word, 5)).map(({ text }) => text);
  const older = new PassThrough();
  const newer = new PassThrough();
  let opens = 0;
  const opened = await aProcess(() => ((opens += 1) === 1 ? older : newer));
  older.write('Thirty herons.');
  await eventually(() => opened.count === 1, 'the older version is read');
  const { _id: id, orgId } = row;
  const file = { id, orgId, connectionId: defaultConnectionIdOf(orgId), name: 'Plan.txt', bytes: 9 };
  const replacing = newDocument({ ...file, mediaType: 'text/plain' }, 'Somebody', clock.now());
  await work.run(job('tests'), (tx) => documents.replace(scope, replacing, tx));
  older.end();
  await eventually(() => opened.count === 2, 'the newer version is read');
  expect(await finds('herons')).toEqual([]);
  newer.end('Forty owls.');
  await untilIs(row, 'searchable');
  expect([await finds('herons'), await finds('owls')]).toEqual([[], ['Forty owls.']]);
});

test('what a reader finds wrong with a file is final at once, and another attempt does not change it', async () => {
  const row = await store('application/pdf');
  const opened = await aProcess(() => Readable.from([sealedPdf()]));
  await untilIs(row, 'failed');
  expect(opened.count).toBe(1);
  expect(await find(row)).toMatchObject({ failure: 'encrypted', passageCount: 0, leaseUntil: null });
});

describe('a document', () => {
  test('is searchable once it was read', async () => {
    const row = await store();
    const opened = await aProcess(good);
    await untilIs(row, 'searchable');
    expect(opened.count).toBe(1);
    expect(await find(row)).toMatchObject({ passageCount: 1, leaseUntil: null });
  });

  test('has three attempts, then has failed and says why', async () => {
    const row = await store();
    const opened = await aProcess(breaking);
    await untilEndsAs(row, 'failed');
    expect(opened.count).toBe(3);
    expect(await find(row)).toMatchObject({ failure: 'reader-stopped', passageCount: 0, leaseUntil: null });
  });

  test('whose first attempt broke off is read by the second', async () => {
    const row = await store();
    let attempts = 0;
    await aProcess(() => ((attempts += 1) === 1 ? breaking() : good()));
    await untilEndsAs(row, 'searchable');
    expect([attempts, await find(row)]).toMatchObject([2, { failure: null, passageCount: 1 }]);
  });

  test('that ended one process is read by the next', async () => {
    const row = await store();
    await dieReading(row);
    const opened = await aProcess(good);
    await untilIs(row, 'searchable');
    expect(opened.count).toBe(1);
  });

  test('fails after crashing three processes, and a fourth one does not read it', async () => {
    const row = await store();
    for (let attempts = 1; attempts <= 3; attempts += 1) await dieReading(row);
    const opened = await aProcess(good);
    await untilIs(row, 'failed');
    expect(opened.count).toBe(0);
    expect(await find(row)).toMatchObject({ failure: 'reader-stopped', status: 'failed' });
  });

  test('without text has failed at the first attempt', async () => {
    const row = await store();
    const opened = await aProcess(() => Readable.from([Buffer.from(' ')]));
    await untilIs(row, 'failed');
    expect(opened.count).toBe(1);
    expect(await find(row)).toMatchObject({ failure: 'no-text' });
  });

  test('fails with a server error if its file is missing from the store', async () => {
    const row = await store();
    const opened = await aProcess(() => null);
    await untilEndsAs(row, 'failed');
    expect([opened.count, await find(row)]).toMatchObject([3, { failure: 'internal' }]);
  });

  test('gets new attempts after a failure when a person asks for them', async () => {
    const row = await store();
    await aProcess(breaking);
    await untilEndsAs(row, 'failed');
    await processes.pop()!.end();
    await work.run(job('tests'), (tx) => documents.requeue(tests.in(row.orgId), row._id, tx));
    await dieReading(row);
    await aProcess(good);
    await untilIs(row, 'searchable');
  });

  test('a document that an earlier version left waiting, or being read, is read', async () => {
    const [waiting, left] = [await store(), await store()];
    await dieReading(left);
    await bench.mongo.connection.collection('jobs').deleteMany({});
    for (const _ of ['once', 'repeated']) await unreadDocumentsToJobs.batch(bench.mongo, null);
    const opened = await aProcess(good);
    for (const row of [waiting, left]) await untilIs(row, 'searchable');
    expect(opened.count).toBe(2);
  });
});
