import { describe, expect, test } from '@jest/globals';
import { titleFrom } from './conversation.ts';

describe('titleFrom', () => {
  test.each([
    ['What changed?', 'What changed?'],
    ['  one\ttwo \nsecond line', 'one two'],
    ['a'.repeat(100), `${'a'.repeat(60)}…`],
    [`${'word '.repeat(20)}`, 'word word word word word word word word word word word word…'],
  ])('%j becomes %j', (text, title) => expect(titleFrom(text)).toBe(title));
});
