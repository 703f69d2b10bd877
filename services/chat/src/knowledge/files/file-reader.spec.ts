import { afterEach, beforeAll, expect, test } from '@jest/globals';
import type { FileId } from '@parley/contracts';
import { eventually } from '@parley/testing';
import { pageOf, pdfOf } from '@parley/testing/files';
import { Readable } from 'node:stream';
import { filesBench, quotaBytes } from '../../testing/files-bench.spec-setup.ts';
import type { Viewer } from '../../conversations/index.ts';
import { aViewer } from '../../testing/viewer.spec-setup.ts';
import { mostFilePassages } from '@parley/contracts/prompt-budget';
import { unreadFilesToJobs } from './file-jobs.ts';

const bench = await filesBench();
const { clock, fileRows, filePassages, kept, list } = bench;
const running: { end(): Promise<void> }[] = [];
beforeAll(bench.ready);
afterEach(() => Promise.all(running.splice(0).map((one) => one.end())));

async function aProcess(open?: (key: string) => Readable | null): Promise<readonly string[]> {
  const started = await bench.aProcess(open);
  running.push(started);
  return started.opened;
}
const untilIs = (viewer: Viewer, id: FileId, status: string) =>
  eventually(async () => expect((await list(viewer, id))[0]?.status).toBe(status), `the file is ${status}`);

test('a file is read to its tokens, pages and passages, which are in no index of the organisation', async () => {
  const viewer = aViewer();
  const pages = [pageOf('Leave', [['Each has 28 days.']]), pageOf('Parking', [['The car park opens at seven.']])];
  const { id } = await bench.upload(viewer, { name: 'Plan.pdf' });
  kept.set(await bench.keyOf(viewer, id), Buffer.from(pdfOf(pages)));
  await aProcess();
  await untilIs(viewer, id, 'ready');
  const [file] = await list(viewer, id);
  expect(file).toMatchObject({ pages: 2, passageCount: 2, failure: null, progress: null });
  expect(file!.tokens).toBeGreaterThan(10);
  expect(await bench.retrieval.count(viewer.scope, 10)).toBe(0);
  const texts = (await filePassages.textOf(viewer.scope, id)).map(({ heading, text }) => [heading, text]);
  expect(texts).toEqual([
    ['Leave', 'Each has 28 days.'],
    ['Parking', 'The car park opens at seven.'],
  ]);
  expect(await bench.recounted(viewer)).toMatchObject({ before: await bench.used(viewer) });
  const told = (await bench.recorded()).filter(({ subject }) => subject === id);
  expect(told.map(({ data }) => (data as { status: string }).status)).toEqual(['stored', 'reading', 'ready']);
});

test('documents and files of one organisation take turns by their arrival', async () => {
  const viewer = aViewer();
  const { orgId } = viewer.scope;
  const document = () => {
    clock.advance(1);
    return bench.aDocument(viewer);
  };
  const chatFile = async () => {
    clock.advance(1);
    return bench.keyOf(viewer, (await bench.upload(viewer)).id);
  };
  const keys = [await document(), await chatFile(), await document(), await chatFile()];
  const opened = await aProcess(() => Readable.from([Buffer.from('Thirty days.')]));
  const own = () => opened.filter((key) => key.includes(orgId.toLowerCase()));
  await eventually(() => own().length === keys.length, 'all are read');
  expect(own()).toEqual(keys);
});

test('a file with too many passages has failed', async () => {
  const viewer = aViewer();
  const { id } = await bench.upload(viewer);
  const paragraphs = Array.from({ length: mostFilePassages + 1 }, () => 'heron '.repeat(140));
  await aProcess(() => Readable.from([Buffer.from(paragraphs.join('\n\n'))]));
  await untilIs(viewer, id, 'failed');
  expect((await list(viewer, id))[0]).toMatchObject({ failure: 'too-many-passages', tokens: null, passageCount: 0 });
});

test('a file whose text does not fit into the quota has failed, and can be retried', async () => {
  const viewer = aViewer();
  const { id } = await bench.upload(viewer);
  const text = 'heron '.repeat(quotaBytes / 3);
  let isLong = true;
  await aProcess((key) => (key.includes(id.toLowerCase()) && isLong ? Readable.from([Buffer.from(text)]) : null));
  await untilIs(viewer, id, 'failed');
  expect((await list(viewer, id))[0]).toMatchObject({ failure: 'over-quota' });
  isLong = false;
  await bench.retry(viewer, id);
  await untilIs(viewer, id, 'ready');
});

test('what ended one process while its passages were stored is read by the next, each passage once', async () => {
  const viewer = aViewer();
  const { id } = await bench.upload(viewer);
  const seen = (await fileRows.find(viewer.scope, id))!;
  await fileRows.claim(viewer.scope, seen, new Date(clock.now().getTime() + 60_000));
  const passages = ['Thirty herons.', 'Two storks.'].map((text) => ({ heading: null, text }));
  await filePassages.replace(viewer.scope, { fileId: id, passages });
  await aProcess();
  await untilIs(viewer, id, 'ready');
  expect(await filePassages.count(viewer.scope, id)).toBe(1);
});

test('a file that an earlier version left waiting is read', async () => {
  const viewer = aViewer();
  const { id } = await bench.upload(viewer);
  await bench.mongo.connection.collection('jobs').deleteMany({});
  for (let again = 0; again < 2; again += 1)
    for (let at: string | null = null; (at = await unreadFilesToJobs.batch(bench.mongo, at)) !== null;);
  await aProcess();
  await untilIs(viewer, id, 'ready');
});
