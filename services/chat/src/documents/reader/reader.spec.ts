import { describe, expect, test } from '@jest/globals';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { Readable } from 'node:stream';
import { fileURLToPath } from 'node:url';
import { readConfined, readDocument } from './reader.ts';

const read = (text: string | Buffer, mediaType: string, timeoutMs = 20_000) =>
  readDocument(Readable.from([Buffer.from(text)]), { mediaType, timeoutMs });

describe('the document reader', () => {
  test('Markdown is cut under its headings, code fences hold no headings', async () => {
    const answer = await read(
      '# Leave\n\nThirty days.\n\n## Carry-over\n\nUntil March.\n\n```sh\n# not a heading\n```\n',
      'text/markdown',
    );
    expect(answer).toEqual({
      passages: [
        { heading: 'Leave', text: 'Thirty days.' },
        { heading: 'Leave › Carry-over', text: 'Until March.\n\n```sh\n# not a heading\n```' },
      ],
    });
  });

  test('HTML gives its visible text only', async () => {
    const answer = await read(
      '<h1>VPN</h1><script>alert(1)</script><p>Restart <b>the</b> client.</p><style>p{}</style>',
      'text/html',
    );
    expect(answer).toEqual({ passages: [{ heading: 'VPN', text: 'Restart the client.' }] });
  });

  test('deep nesting does not exhaust the reader', async () => {
    const answer = await read(`${'<div>'.repeat(20_000)}deep${'</div>'.repeat(20_000)}`, 'text/html');
    expect(answer).toEqual({ passages: [{ heading: null, text: 'deep' }] });
  });

  test('long paragraphs are cut at sentences', async () => {
    const answer = await read('A sentence of some words. '.repeat(200), 'text/plain');
    if (!('passages' in answer)) throw new Error('no passages');
    expect(answer.passages.length).toBeGreaterThan(3);
    expect(Math.max(...answer.passages.map(({ text }) => text.length))).toBeLessThanOrEqual(900);
    expect(answer.passages.every(({ text }) => text.endsWith('.'))).toBe(true);
  });

  test('what is not UTF-8, or holds no text, says so', async () => {
    expect(await read(Buffer.from([0xff, 0xfe, 0x41]), 'text/plain')).toEqual({ failure: 'not-utf8' });
    expect(await read(' \n ', 'text/plain')).toEqual({ failure: 'no-text' });
  });

  test('a reader that does not end in time is stopped', async () => {
    expect(await read('text', 'text/plain', 1)).toEqual({ failure: 'reader-stopped' });
  });

  test('a file that breaks off is not read as if it were whole', async () => {
    const breaksOff = Readable.from(
      (async function* () {
        yield Buffer.from('The first half.');
        throw new Error('the storage is gone');
      })(),
    );
    const answer = await readDocument(breaksOff, { mediaType: 'text/plain', timeoutMs: 20_000 });
    expect(answer).toEqual({ failure: 'reader-stopped' });
  });
});

describe('what a parser can be talked into', () => {
  const splitter = fileURLToPath(new URL('./probe.spec-setup.ts', import.meta.url));
  /** What the code says when it runs where parsers run. */
  async function inReader(code: string): Promise<string> {
    const content = Readable.from([Buffer.from(code)]);
    const answer = await readConfined(content, { splitter, mediaType: '', timeoutMs: 20_000 });
    if (!('passages' in answer)) throw new Error(`The reader has no answer to ${code}.`);
    return answer.passages[0]?.text ?? '';
  }

  test('runs, so that what follows is refused and not just broken', async () => {
    expect(await inReader('return 6 * 7;')).toBe('42');
  });

  const modules = ['net', 'tls', 'dns', 'http', 'https', 'http2', 'dgram', 'dns/promises', 'inspector'];
  const ways = ['fs', 'child_process', 'worker_threads', 'cluster', 'module', 'process', 'vm', 'wasi'];
  test.each([...modules, ...ways])('node:%s is no module there', async (name) => {
    const said = await inReader(`
      const load = async (specifier) => import(specifier).then(() => 'loaded', ({ message }) => message);
      return [await load('node:${name}'), await load('${name}')].join(' ');`);
    const refused = `A reader may not load node:${name}.`;
    expect(said).toBe(`${refused} ${refused}`);
  });

  test.each(['fetch', 'WebSocket', 'EventSource', 'BroadcastChannel', 'process', 'require'])(
    'there is no %s',
    async (name) =>
      expect(await inReader(`return typeof globalThis.${name} + typeof ${name};`)).toBe('undefinedundefined'),
  );

  test('no other file is opened: neither the keys nor the rest of the program', async () => {
    const folder = mkdtempSync(join(tmpdir(), 'parley-reader-'));
    const secret = join(folder, 'secret.mjs');
    writeFileSync(secret, 'export default 1;');
    const settings = fileURLToPath(new URL('../../chat.config.ts', import.meta.url));
    for (const file of [secret, settings])
      expect(await inReader(`return import(${JSON.stringify(`file://${file}`)});`)).toContain('restricted');
    rmSync(folder, { recursive: true });
  });
});
