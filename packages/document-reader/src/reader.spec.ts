import { beforeAll, describe, expect, test } from '@jest/globals';
import { docxOf, endlessPdf, pageOf, paragraph, pdfOf, pptxOf, xlsxOf } from '@parley/testing/files';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { Readable } from 'node:stream';
import { fileURLToPath } from 'node:url';
import { sizes } from './passage-sizes.spec-setup.ts';
import { readConfined, readDocument } from './reader.ts';

const read = (text: string | Buffer, mediaType: string, timeoutMs = 60_000) =>
  readDocument(Readable.from([Buffer.from(text)]), { mediaType, sizes, timeoutMs });

describe('the document reader', () => {
  test('has the passages of what it is given, or says why there are none', async () => {
    const vpn = { passages: [{ heading: 'VPN', text: 'Restart it.' }] };
    expect(await read('<h1>VPN</h1><p>Restart it.</p>', 'text/html')).toEqual(vpn);
    expect(await read('# VPN\n\nRestart it.', 'text/markdown')).toEqual(vpn);
    expect(await read(' ', 'text/plain')).toEqual({ failure: 'no-text' });
  });

  test('a reader that does not end in time is stopped', async () => {
    expect(await read('text', 'text/plain', 1)).toEqual({ failure: 'took-too-long' });
  });

  test('no reader starts once it was broken off', async () => {
    const content = Readable.from([endlessPdf()]);
    const signal = AbortSignal.abort();
    const answer = await readDocument(content, { mediaType: 'application/pdf', sizes, timeoutMs: 60_000, signal });
    expect(answer).toEqual({ failure: 'reader-stopped' });
    expect(content.destroyed).toBe(true);
  });

  test('a file that breaks off is not read as if it were whole', async () => {
    const breaksOff = Readable.from(
      (async function* () {
        yield Buffer.from('The first half.');
        throw new Error('the storage is gone');
      })(),
    );
    const answer = await readDocument(breaksOff, { mediaType: 'text/plain', sizes, timeoutMs: 60_000 });
    expect(answer).toEqual({ failure: 'reader-stopped' });
  });
});

const office = 'application/vnd.openxmlformats-officedocument.';
const mail = 'From: a@example.org\r\nSubject: Leave\r\n\r\n28 days.';

describe('each kind of file', () => {
  test.each([
    ['application/pdf', pdfOf([pageOf(null, [['28 days.']])])],
    [`${office}wordprocessingml.document`, docxOf(paragraph('28 days.'))],
    [`${office}spreadsheetml.sheet`, xlsxOf({ Leave: [['28 days.']] })],
    [`${office}presentationml.presentation`, pptxOf([{ title: 'Leave', texts: ['28 days.'] }])],
    ['text/csv', '28 days.,yes\n'],
    ['message/rfc822', mail],
  ])('%s is read with what its parser may load', async (mediaType, file) => {
    const answer = await read(file, mediaType);
    expect(answer).toMatchObject({ passages: [{ text: expect.stringContaining('28 days.') }] });
  });

  test('a mail with an attachment as large as a file may be is read without it', async () => {
    const attached = Buffer.alloc(17_000_000, 'heron').toString('base64').replaceAll(/.{76}/g, '$&\r\n');
    const part = (...lines: string[]) => ['--x', ...lines, ''].join('\r\n');
    const file = [
      'From: a@example.org',
      'Subject: Leave',
      'Content-Type: multipart/mixed; boundary=x',
      '',
      part('Content-Type: text/plain', '', '28 days.'),
      part('Content-Disposition: attachment; filename=big.bin', 'Content-Transfer-Encoding: base64', '', attached),
      '--x--',
    ].join('\r\n');
    expect(file.length).toBeGreaterThan(23_000_000);
    const answer = await read(file, 'message/rfc822');
    expect(answer).toEqual({
      passages: [{ heading: 'Leave', text: 'From: a@example.org\nAttachments: big.bin\n\n28 days.' }],
      unread: [{ name: 'big.bin', flaw: 'kind-not-read' }],
    });
  });

  test('tells how many pages are read', async () => {
    const told: (readonly [number, number])[] = [];
    const content = Readable.from([pdfOf(Array.from({ length: 400 }, () => pageOf(null, [['28 days.']])))]);
    const onProgress = (done: number, of: number) => void told.push([done, of]);
    await readDocument(content, { mediaType: 'application/pdf', sizes, timeoutMs: 60_000, onProgress });
    expect(told.length).toBeGreaterThan(0);
    expect(told.every(([done, of]) => done >= 1 && done <= of && of === 400)).toBe(true);
  });

  test('a PDF without an end is stopped in time', async () => {
    const answer = await read(endlessPdf(), 'application/pdf', 2_000);
    expect(answer).toEqual({ failure: expect.stringMatching(/^took-too-(long|much-memory)$/) });
  });

  test('what fills the heap is stopped', async () => {
    const splitter = fileURLToPath(new URL('./probe.spec-setup.ts', import.meta.url));
    const content = Readable.from([
      Buffer.from('const all = []; for (;;) all.push(new Array(1_000_000).fill(all.length));'),
    ]);
    const answer = await readConfined(content, { splitter, mediaType: '', timeoutMs: 60_000 });
    expect(answer).toEqual({ failure: 'took-too-much-memory' });
  });
});

describe('what a parser can be talked into', () => {
  const splitter = fileURLToPath(new URL('./probe.spec-setup.ts', import.meta.url));
  /** What the code says when it runs where parsers run. */
  async function inReader(code: string): Promise<string> {
    const content = Readable.from([Buffer.from(code)]);
    const answer = await readConfined(content, { splitter, mediaType: '', timeoutMs: 60_000 });
    if (!('passages' in answer)) throw new Error(`The reader has no answer to ${code}.`);
    return answer.passages[0]?.text ?? '';
  }

  test('runs, so that what follows is refused and not just broken', async () => {
    expect(await inReader('return 6 * 7;')).toBe('42');
  });

  /** What each of them says, by name; one reader is asked for all. */
  async function eachInReader(names: readonly string[], codeOf: (name: string) => string) {
    const said = names.map((name) => `['${name}', await (async () => { ${codeOf(name)} })()]`);
    return new Map(JSON.parse(await inReader(`return JSON.stringify([${said.join(',')}]);`)) as [string, string][]);
  }

  const modules = ['net', 'tls', 'dns', 'http', 'https', 'http2', 'dgram', 'dns/promises', 'inspector'];
  const ways = ['fs', 'child_process', 'worker_threads', 'cluster', 'module', 'process', 'vm', 'wasi'];
  describe('of Node’s modules', () => {
    let said: ReadonlyMap<string, string>;
    const codeOf = (name: string) => `
      const load = async (specifier) => import(specifier).then(() => 'loaded', ({ message }) => message);
      return [await load('node:${name}'), await load('${name}')].join(' ');`;
    beforeAll(async () => void (said = await eachInReader([...modules, ...ways], codeOf)));

    test.each([...modules, ...ways])('node:%s is no module there', (name) => {
      const refused = `A reader may not load node:${name}.`;
      expect(said.get(name)).toBe(`${refused} ${refused}`);
    });
  });

  describe('of the globals', () => {
    let said: ReadonlyMap<string, string>;
    const globals = ['fetch', 'WebSocket', 'EventSource', 'BroadcastChannel', 'process', 'require'];
    const codeOf = (name: string) => `return typeof globalThis.${name} + typeof ${name};`;
    beforeAll(async () => void (said = await eachInReader(globals, codeOf)));

    test.each(globals)('there is no %s', (name) => expect(said.get(name)).toBe('undefinedundefined'));
  });

  test('no other file is opened: neither the keys nor the rest of the program', async () => {
    const folder = mkdtempSync(join(tmpdir(), 'parley-reader-'));
    const secret = join(folder, 'secret.mjs');
    writeFileSync(secret, 'export default 1;');
    const settings = fileURLToPath(new URL('../../contracts/src/names.ts', import.meta.url));
    for (const file of [secret, settings])
      expect(await inReader(`return import(${JSON.stringify(`file://${file}`)});`)).toContain('restricted');
    rmSync(folder, { recursive: true });
  });
});
