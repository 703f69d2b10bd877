import { describe, expect, test } from '@jest/globals';
import { Readable } from 'node:stream';
import { readDocument } from './reader.ts';

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
});
