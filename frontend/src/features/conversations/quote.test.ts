import { expect, test } from '@jest/globals';
import { quoteOf, withQuote } from './quote.ts';

test('a passage is quoted line by line, with its source', () => {
  expect(quoteOf('At 22:00 it was replaced.\n\nSee below.\n', 'Change.pdf, Page 2')).toBe(
    '> At 22:00 it was replaced.\n>\n> See below.\n>\n> — Change.pdf, Page 2',
  );
});

test('what was written before stays above it, and one writes on below', () => {
  expect(withQuote('', '> a')).toBe('> a\n\n');
  expect(withQuote('Is this so?\n', '> a')).toBe('Is this so?\n\n> a\n\n');
});
