import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import type { Audience, ConnectionSource, DocumentId } from '@parley/contracts';
import { FolderBlobs } from '@parley/platform/blobs';
import { newId } from '@parley/platform/ids';
import { job } from '@parley/platform/work';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { Readable } from 'node:stream';
import { text } from 'node:stream/consumers';
import { chatBench } from '../../testing/chat-bench.spec-setup.ts';
import { newConnection } from '../connections/index.ts';
import type { Viewer } from '../../conversations/index.ts';
import { aViewer } from '../../testing/viewer.spec-setup.ts';
import type { NewDocument } from './rows/document.collection.ts';
import { blobKey, newDocument } from './rows/document.ts';
import { OpenedDocuments } from './opened-documents.service.ts';

const bench = await chatBench();
const { documentRows, retrieval, readable, connectionRepository, work, clock, ready } = bench;
const folder = mkdtempSync(join(tmpdir(), 'parley-opened-'));
const blobs = await FolderBlobs.open(folder);
const opened = new OpenedDocuments(documentRows, connectionRepository, readable, retrieval, blobs);
beforeAll(ready);
afterAll(() => rmSync(folder, { recursive: true }));

const tests = job('tests');
const everybody: Audience = { kind: 'everybody' };
const owners: Audience = { kind: 'some', roles: ['owner'], groupIds: [], userIds: [] };
const site: ConnectionSource = {
  kind: 'web',
  address: 'https://docs.example/',
  start: 'page',
  below: '/',
  depth: 1,
  pages: 10,
};
const bucket: ConnectionSource = {
  kind: 'bucket',
  endpoint: 'https://s3.example/',
  bucket: 'files',
  region: 'any',
  prefix: '',
  accessKeyId: 'key',
};

/** A document of one passage, read, in a connection of its own. */
async function aDocument({
  source = { kind: 'upload' } as ConnectionSource,
  audience = everybody,
  row = {} as Partial<NewDocument>,
} = {}) {
  const viewer = aViewer();
  const { scope } = viewer;
  const connectionId = newId('connection');
  const createdAt = clock.now();
  const parts = { _id: connectionId, orgId: scope.orgId, name: 'Board papers', source, audience };
  const connection = newConnection({ ...parts, schedule: 'manual', createdAt, createdBy: null });
  const file = { orgId: scope.orgId, connectionId, name: 'Plan.txt', mediaType: 'text/plain' as const, bytes: 5 };
  const document = newDocument({ id: newId('document'), ...file }, 'Somebody', createdAt, row);
  await work.run(tests, async (tx) => {
    await connectionRepository.insert(scope, connection, tx);
    await documentRows.create(scope, { ...document, status: 'searchable', passageCount: 1, ...row }, tx);
  });
  const indexed = { id: document._id, name: 'Plan.txt', connectionId };
  await retrieval.replace(scope, indexed, [{ heading: 'Plan', text: 'Herons nest in March.' }]);
  await blobs.put(blobKey(document), Readable.from([Buffer.from('bytes')]), { maxBytes: 10 });
  return { viewer, connection, document, id: document._id };
}
const given = (viewer: Viewer, documentId: DocumentId, query: object = { limit: 10 }) =>
  ({ ...viewer, params: { documentId }, query }) as never;
/** What somebody gets of a document by each of the routes: a refusal's code, or true. */
const reached = (viewer: Viewer, id: DocumentId) =>
  Promise.all(
    (['open', 'text', 'download'] as const).map((route) =>
      opened[route](given(viewer, id)).then(
        (answer) => {
          if ('content' in answer) (answer.content as Readable).destroy();
          return true;
        },
        ({ code }: { code: string }) => code,
      ),
    ),
  );
const allOf = <T>(value: T) => [value, value, value];
const notFound = 'chat.document-not-found';

describe('a document is opened', () => {
  test('with its text and its file, by people who can read its connection', async () => {
    const { viewer, id, document } = await aDocument();
    expect(await opened.open(given(viewer, id))).toEqual({
      id,
      name: 'Plan.txt',
      mediaType: 'text/plain',
      bytes: 5,
      storedAt: document.createdAt.toISOString(),
      isAhead: false,
      hasFile: true,
      deletedAt: null,
      webAddress: null,
    });
    const { passages } = await opened.text(given(viewer, id));
    expect(passages).toMatchObject([{ heading: 'Plan', text: 'Herons nest in March.' }]);
    const { name, content } = await opened.download(given(viewer, id));
    expect([name, await text(Readable.from(content))]).toEqual(['Plan.txt', 'bytes']);
  });

  test('by nobody of another organisation, nor by whom the audience leaves out, from the moment it does', async () => {
    const { viewer, id, connection } = await aDocument();
    const member = aViewer(viewer.scope.orgId, { role: 'member' });
    const admin = aViewer(viewer.scope.orgId, { role: 'admin' });
    expect(await reached(member, id)).toEqual(allOf(true));
    expect(await reached(aViewer(), id)).toEqual(allOf(notFound));
    expect(await reached(viewer, newId('document'))).toEqual(allOf(notFound));
    await work.run(tests, (tx) => connectionRepository.change(viewer.scope, connection, { audience: owners }, tx));
    expect(await reached(member, id)).toEqual(allOf(notFound));
    // Managing connections is no right to read what is in them.
    expect(await reached(admin, id)).toEqual(allOf(notFound));
    expect(await reached(viewer, id)).toEqual(allOf(true));
  });

  test('after it was deleted to hear so, and not at all once it is erased', async () => {
    const { viewer, id } = await aDocument();
    const now = clock.now();
    await work.run(tests, (tx) => documentRows.setDeleted(viewer.scope, id, { isDeleted: true, now }, tx));
    expect(await reached(viewer, id)).toEqual([true, notFound, notFound]);
    expect(await opened.open(given(viewer, id))).toMatchObject({ deletedAt: now.toISOString() });
    await work.run(tests, (tx) => documentRows.purge(viewer.scope, id, tx));
    expect(await reached(viewer, id)).toEqual(allOf(notFound));
  });

  test('as it is now while answers still quote the version before', async () => {
    const { viewer, id, document } = await aDocument();
    clock.advance(60_000);
    const { orgId, name, mediaType } = document;
    const file = { id, orgId, connectionId: document.connectionId!, name, mediaType, bytes: 7 };
    const newer = newDocument(file, 'Somebody', clock.now());
    await work.run(tests, (tx) => documentRows.replace(viewer.scope, newer, tx));
    const storedAt = clock.now().toISOString();
    expect(await opened.open(given(viewer, id))).toMatchObject({ isAhead: true, storedAt, bytes: 7 });
  });

  test('without a file where none is kept, which is said', async () => {
    const never = await aDocument({ row: { bytes: 0 } });
    expect(await opened.open(given(never.viewer, never.id))).toMatchObject({ hasFile: false });
    const lost = await aDocument();
    await blobs.delete(blobKey(lost.document));
    expect(await reached(lost.viewer, lost.id)).toEqual([true, true, 'chat.document-file-missing']);
  });
});

describe('an address', () => {
  const addressIn = async (source: ConnectionSource, address: string) => {
    const { viewer, id } = await aDocument({ source, row: { address } });
    return (await opened.open(given(viewer, id))).webAddress;
  };

  test('is that of a page of a web site, and never a script or what a bucket calls its files', async () => {
    expect(await addressIn(site, 'https://docs.example/a?b=c')).toBe('https://docs.example/a?b=c');
    expect(await addressIn(site, 'javascript:alert(1)')).toBeNull();
    expect(await addressIn(bucket, 'https://evil.example/')).toBeNull();
  });
});
