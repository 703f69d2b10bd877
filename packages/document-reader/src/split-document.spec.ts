import { describe, expect, test } from '@jest/globals';
import { sizes } from './passage-sizes.spec-setup.ts';
import { splitDocument } from './split-document.ts';

const split = async (text: string | Buffer, mediaType: string) =>
  splitDocument(Buffer.from(text as string), { mediaType, sizes });

describe('a document', () => {
  test('Markdown is cut under its headings, code fences hold no headings', async () => {
    const answer = await split(
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
    const answer = await split(
      '<h1>VPN</h1><script>alert(1)</script><p>Restart <b>the</b> client.</p><style>p{}</style>',
      'text/html',
    );
    expect(answer).toEqual({ passages: [{ heading: 'VPN', text: 'Restart the client.' }] });
  });

  test('deep nesting does not exhaust the reader', async () => {
    const answer = await split(`${'<div>'.repeat(20_000)}deep${'</div>'.repeat(20_000)}`, 'text/html');
    expect(answer).toEqual({ passages: [{ heading: null, text: 'deep' }] });
  });

  test('long paragraphs are cut at sentences', async () => {
    const answer = await split('A sentence of some words. '.repeat(200), 'text/plain');
    if (!('passages' in answer)) throw new Error('no passages');
    expect(answer.passages.length).toBeGreaterThan(3);
    expect(Math.max(...answer.passages.map(({ text }) => text.length))).toBeLessThanOrEqual(900);
    expect(answer.passages.every(({ text }) => text.endsWith('.'))).toBe(true);
    expect(answer.passages.map(({ text }) => text).join(' ')).toBe('A sentence of some words. '.repeat(200).trim());
  });

  test('a passage stays under its heading, however short', async () => {
    const answer = await split('# One\n\nA.\n\n# Two\n\nB.', 'text/markdown');
    expect(answer).toEqual({
      passages: [
        { heading: 'One', text: 'A.' },
        { heading: 'Two', text: 'B.' },
      ],
    });
  });

  test('what is not UTF-8, or holds no text, says so', async () => {
    expect(await split(Buffer.from([0xff, 0xfe, 0x41]), 'text/plain')).toEqual({ failure: 'not-utf8' });
    expect(await split(' \n ', 'text/plain')).toEqual({ failure: 'no-text' });
  });
});
