import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import type { DocumentId } from '@parley/contracts';
import { newId } from '@parley/platform/ids';
import { eventually } from '@parley/testing';
import type { ParleyClient } from '@parley/testing/client';
import { docxOf, nothingOf, pageOf, paragraph, pdfOf, sealedPdf } from '@parley/testing/files';
import { newPerson, startTestParley, type TestParley } from '@parley/embedded/test-parley';

let running: TestParley;
let owner: ParleyClient;
beforeAll(async () => {
  running = await startTestParley();
  const setupToken = new URL(running.parley.setupUrl ?? '').searchParams.get('setup') ?? '';
  owner = await newPerson(running.url, { organisation: 'Documents', setupToken });
});
afterAll(() => running.close());

const bytes = (file: Buffer) => new Uint8Array(file);
const handbook = (days: number, ...more: string[]) =>
  bytes(pdfOf([pageOf('Leave', [[`Every employee has ${days} days of paid leave.`]]), ...more]));
const parking = pageOf('Parking', [['The car park opens at seven.']]);

async function find(id: DocumentId) {
  const { items } = await owner.call('GET /api/chat/documents');
  return items.find((each) => each.id === id);
}
const untilIs = (id: DocumentId, status: 'searchable' | 'failed') =>
  eventually(async () => {
    const document = await find(id);
    expect(document?.status).toBe(status);
    return document!;
  }, `the document should be ${status}`);
const found = async (text: string) => (await owner.call('POST /api/chat/search-tests', { body: { text } })).passages;

async function citationsOf(question: string) {
  const conversationId = newId('conversation');
  await owner.send(conversationId, question);
  return eventually(async () => {
    const { items } = await owner.call('GET /api/chat/conversations/:conversationId/messages', {
      params: { conversationId },
    });
    const answer = items.find(({ role }) => role === 'assistant');
    expect(answer?.generation?.status).toBe('done');
    return answer!.citations;
  }, 'the answer should be there');
}

describe('a PDF', () => {
  test('is cited with its page, and the passage opens with what it is as of', async () => {
    const { id, asOf } = await owner.upload('handbook.pdf', handbook(28, parking));
    await untilIs(id, 'searchable');
    const [citation] = await citationsOf('When does the car park open?');
    expect(citation).toMatchObject({ heading: 'Parking', place: { kind: 'page', number: 2 } });
    const passage = await owner.call('GET /api/chat/passages/:chunkId', { params: { chunkId: citation!.chunkId } });
    expect(passage).toMatchObject({ place: { kind: 'page', number: 2 }, text: 'The car park opens at seven.', asOf });
  });

  test('is replaced by a newer version under its id, and quoted until that is read', async () => {
    const { id, asOf } = await owner.upload('days.pdf', handbook(30));
    await untilIs(id, 'searchable');
    const newer = await owner.replace(id, 'days-2027.docx', bytes(docxOf(paragraph('Every employee has 32 days.'))));
    expect(newer).toMatchObject({ id, name: 'days-2027.docx', status: 'stored' });
    expect(newer.asOf > asOf).toBe(true);
    await untilIs(id, 'searchable');
    const ours = (await found('How many days has every employee?')).filter(({ documentId }) => documentId === id);
    expect(ours.map(({ text, documentName }) => [documentName, text])).toEqual([
      ['days-2027.docx', 'Every employee has 32 days.'],
    ]);
  });

  test('whose newer version cannot be read is quoted as it was, and says so', async () => {
    const { id } = await owner.upload('rent.pdf', bytes(pdfOf([pageOf(null, [['The rent is 1,200 EUR.']])])));
    await untilIs(id, 'searchable');
    await owner.replace(id, 'rent.pdf', bytes(sealedPdf()));
    expect(await untilIs(id, 'failed')).toMatchObject({ failure: 'encrypted', passageCount: 1 });
    const texts = (await found('What is the rent?')).map(({ text }) => text);
    expect(texts).toContain('The rent is 1,200 EUR.');
  });

  test('is not replaced by nothing, nor by what nobody reads', async () => {
    const { id, version } = await owner.upload('kept.pdf', bytes(pdfOf([pageOf(null, [['Kept herons.']])])));
    await untilIs(id, 'searchable');
    await expect(owner.replace(id, 'kept.pdf', new Uint8Array(0))).rejects.toMatchObject({
      problem: { code: 'chat.document-empty' },
    });
    await expect(owner.replace(id, 'kept.exe', 'x')).rejects.toMatchObject({
      problem: { code: 'chat.document-type-not-supported' },
    });
    await expect(owner.replace(id, 'kept.pdf', new Uint8Array(25_000_001))).rejects.toMatchObject({
      problem: { code: 'platform.body-too-large' },
    });
    expect((await find(id))?.version).toBeGreaterThanOrEqual(version);
    expect((await found('herons')).map(({ documentId }) => documentId)).toEqual([id]);
    await owner.call('DELETE /api/chat/documents/:documentId', { params: { documentId: id } });
    await expect(owner.replace(id, 'kept.pdf', 'x')).rejects.toMatchObject({
      problem: { code: 'chat.document-not-found' },
    });
  });
});

test('a bad file says why, and the others are read meanwhile', async () => {
  const bomb = docxOf(paragraph('One.'), { 'word/more.xml': nothingOf(100_000_001) });
  const cut = handbook(28);
  const bad = [
    await owner.upload('bomb.docx', bytes(bomb)),
    await owner.upload('cut.pdf', cut.subarray(0, cut.length - 100)),
    await owner.upload('scan.pdf', bytes(pdfOf(['0 0 10 10 re f']))),
  ];
  const good = await owner.upload('good.md', 'The heron is a bird.');
  await untilIs(good.id, 'searchable');
  const failures = await Promise.all(bad.map(async ({ id }) => (await untilIs(id, 'failed')).failure));
  expect(failures).toEqual(['unpacks-too-large', 'damaged', 'scanned']);
});

describe('what a citation leads to', () => {
  const contentOf = (id: DocumentId) => owner.request('GET', `/api/chat/documents/${id}/content`);

  test('leaves through the front door as it came, as an attachment that no browser shows', async () => {
    const html = '<!doctype html><script>alert(1)</script><h1>Bicycles</h1><p>Bicycles stand in the yard.</p>';
    const { id } = await owner.upload('Räder.html', html);
    await untilIs(id, 'searchable');
    const response = await contentOf(id);
    const names = ['content-type', 'content-disposition', 'x-content-type-options', 'cache-control'];
    expect(names.map((name) => response.headers.get(name))).toEqual([
      'application/octet-stream',
      `attachment; filename="R?der.html"; filename*=UTF-8''R%C3%A4der.html`,
      'nosniff',
      'private, no-store',
    ]);
    expect(response.headers.get('content-security-policy')).toBe("default-src 'none'; sandbox; frame-ancestors 'none'");
    expect(await response.text()).toBe(html);
  });

  test('is read as text, with page and heading, around the passage', async () => {
    const [citation] = await citationsOf('When does the car park open?');
    const { documentId, chunkId } = citation!;
    const params = { documentId };
    const read = (query: object) => owner.call('GET /api/chat/documents/:documentId/text', { params, query });
    const { passages, previous } = await read({ chunkId, limit: 1 });
    expect(passages).toMatchObject([{ chunkId, heading: 'Parking', place: { kind: 'page', number: 2 } }]);
    expect((await read({ from: previous!, limit: 1 })).passages).toMatchObject([{ place: { number: 1 } }]);
    for (const query of [{ limit: 51 }, { limit: 0 }, { from: -1 }, { chunkId: 'no id' }])
      await expect(read(query)).rejects.toThrow('400');
  });

  test('says when it is not what was cited: replaced, then deleted, then gone', async () => {
    const { id } = await owner.upload('tea.txt', 'Tea is served at four.');
    await untilIs(id, 'searchable');
    const params = { documentId: id };
    const open = () => owner.call('GET /api/chat/documents/:documentId', { params });
    const { storedAt } = await open();
    await owner.replace(id, 'tea.pdf', bytes(sealedPdf()));
    await untilIs(id, 'failed');
    const ahead = await open();
    expect(ahead).toMatchObject({ isAhead: true, name: 'tea.pdf', deletedAt: null });
    expect(ahead.storedAt > storedAt).toBe(true);
    await owner.call('DELETE /api/chat/documents/:documentId', { params });
    expect((await open()).deletedAt).not.toBeNull();
    expect((await contentOf(id)).status).toBe(404);
    await owner.call('POST /api/chat/documents/:documentId/erase', { params });
    expect((await owner.request('GET', `/api/chat/documents/${id}`)).status).toBe(404);
  });
});
