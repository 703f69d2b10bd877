import { describe, expect, test } from '@jest/globals';
import { compareWords, hitsIn, shrunken, whyTwice } from './words.mjs';

describe('whyTwice', () => {
  test.each([
    ['Whose words they are and since when', 'starts without subject and verb: say who does what'],
    ['Sends the link to whoever asked for it', '“whoever”'],
    [`Reads ${'one more word and '.repeat(8)}ends`, '34 words in one sentence'],
    ['Returns the newest cursor of a page', null],
    ['Nobody here', null],
  ])('judges “%s”', (text, why) => {
    expect(whyTwice(text)).toBe(why);
  });
});

describe('hitsIn', () => {
  test('joins the lines of a comment until its sentence ends', () => {
    const code = ['/**', ' * Sends the link to', ' * whoever asked for it.', ' */', 'const a = 1;'].join('\n');
    expect(hitsIn('a.ts', code)).toEqual([
      { line: 1, why: '“whoever”', text: 'Sends the link to whoever asked for it.' },
    ]);
  });

  test('reads UI texts and the titles of tests', () => {
    const code = [
      "t({ id: 'a.b', defaultMessage: 'Nobody is chosen for it yet' });",
      "test('what was sent is kept', () => {});",
      "test('keeps what was sent', () => {});",
    ].join('\n');
    expect(hitsIn('a.spec.ts', code).map(({ line }) => line)).toEqual([1, 2]);
  });

  test('leaves code alone', () => {
    expect(hitsIn('a.ts', "const whoever = 'anew';\nreturn whoever; // as before")).toEqual([]);
  });

  test('reads the lines of a page', () => {
    expect(hitsIn('a.md', '# Title\n\nThe folder in which it is.')).toEqual([
      { line: 3, why: '“in which”', text: 'The folder in which it is.' },
    ]);
  });
});

describe('counted hits', () => {
  const hit = { line: 2, why: '“anew”', text: 'Reads it anew.' };

  test('excuse as many hits of a file', () => {
    expect(compareWords(new Map([['a.ts', [hit]]]), { 'a.ts': 1 })).toEqual({ lines: [], isFewer: false });
  });

  test('excuse none in another file', () => {
    const { lines } = compareWords(new Map([['b.ts', [hit]]]), { 'a.ts': 1 });
    expect(lines).toEqual(['b.ts:2: “anew”\n    Reads it anew.']);
  });

  test('shrink with the hits', () => {
    const found = new Map([
      ['a.ts', []],
      ['b.ts', [hit]],
    ]);
    expect(compareWords(found, { 'a.ts': 2, 'b.ts': 1 }).isFewer).toBe(true);
    expect(shrunken(found, { 'a.ts': 2, 'b.ts': 1 })).toEqual({ 'b.ts': 1 });
  });

  test('never grow', () => {
    expect(shrunken(new Map([['b.ts', [hit, hit]]]), { 'b.ts': 1 })).toBeNull();
  });
});
