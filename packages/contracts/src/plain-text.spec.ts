import { describe, expect, test } from '@jest/globals';
import { isWellFormed, plainName } from './plain-text.ts';

const parse = (text: string) => plainName(20).safeParse(text).data;

describe('plainName', () => {
  test.each([
    ['Ad\u200Bmin', 'Admin'],
    ['Ad\u200Cmin\u2060', 'Admin'],
    ['Ad\uFE0Fmin', 'Admin'],
    ['\u202Efdp.exe', 'fdp.exe'],
    ['\u2066a\u2069\u200F', 'a'],
    ['a\0b\u001B[31m', 'ab[31m'],
    ['one\r\ntwo\u2028three', 'one two three'],
    ['half \uD800 a sign', 'half  a sign'],
    ['\u{E0041}tag', 'tag'],
  ])('changes %j to %j', (given, kept) => expect(parse(given)).toBe(kept));

  test.each(['Zoë O’Neill', 'می‌خواهم', 'क्‍ष', '👩‍💻 Team', '❤️', 'مرحبا', '日本語'])('keeps the name %s', (name) =>
    expect(parse(name)).toBe(name),
  );

  test.each(['\u200B\u200E', '', '   ', '\u3164', 'x'.repeat(21)])('refuses %j as a name', (given) =>
    expect(parse(given)).toBeUndefined(),
  );
});

test('a text with half a surrogate pair is not well-formed', () => {
  expect(['\uD800', 'a\uDC00', 'ok 😀'].map(isWellFormed)).toEqual([false, false, true]);
});
