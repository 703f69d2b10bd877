import { expect, test } from '@jest/globals';
import { quotedParts, quoteOf, withQuote } from './quote.ts';

test('quotes a passage line by line, with its source', () => {
  expect(quoteOf('At 22:00 it was replaced.\n\nSee below.\n', 'Change.pdf, Page 2')).toBe(
    '> At 22:00 it was replaced.\n>\n> See below.\n>\n> — Change.pdf, Page 2',
  );
});

test('keeps typed text above the quote, and lets people continue below it', () => {
  expect(withQuote('', '> a')).toBe('> a\n\n');
  expect(withQuote('Is this so?\n', '> a')).toBe('Is this so?\n\n> a\n\n');
});

test('splits a sent text into quotes without `>` and the text between them', () => {
  const quote = quoteOf('At 22:00 it was replaced.', 'Change.pdf');
  expect(quotedParts(`${withQuote('Look:', quote)}Is it so?`)).toEqual([
    { isQuote: false, text: 'Look:' },
    { isQuote: true, text: 'At 22:00 it was replaced.\n\n— Change.pdf' },
    { isQuote: false, text: 'Is it so?' },
  ]);
  expect(quotedParts('a > b\n```\n> ls\n```')).toEqual([{ isQuote: false, text: 'a > b\n```\n> ls\n```' }]);
});
