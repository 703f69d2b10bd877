import { describe, expect, test } from '@jest/globals';
import { titleIn, titleRequest } from './title.ts';

describe('finding the title in a model’s text', () => {
  test.each([
    ['Heron counts in spring', 'Heron counts in spring'],
    ['  "Heron counts in spring."\n', 'Heron counts in spring'],
    ['**Title:** Heron counts', 'Heron counts'],
    ['# Heron counts\n\nThis chat is about herons.', 'Heron counts'],
    ['„Reiher im Frühling“', 'Reiher im Frühling'],
    ['«عدد طيور البلشون»', 'عدد طيور البلشون'],
    ['<think>They ask for herons.\nShort.</think>\n\nHeron counts', 'Heron counts'],
    ['Heron\u202Ecounts\u0000 in   spring', 'Heroncounts in spring'],
  ])('takes from %j the title %j', (written, title) => expect(titleIn(written)).toBe(title));

  test.each(['', ' \n ', '""', '<think>nothing else</think>'])('finds no title in %j', (written) =>
    expect(titleIn(written)).toBeNull(),
  );

  test('cuts a long title at a word, to 60 characters', () => {
    const title = titleIn('word '.repeat(40))!;
    expect(title.length).toBeLessThanOrEqual(60);
    expect(title).toMatch(/word…$/);
  });
});

test('sends the model the beginnings of question and answer, and asks for the chat’s language', () => {
  const request = titleRequest(
    { question: { role: 'person', text: `q${'x'.repeat(5_000)}` }, answer: `a${'y'.repeat(5_000)}`, locale: 'de' },
    new AbortController().signal,
  );
  const sent = request.path[0]!.text;
  expect(sent).toContain('in the language of its question, at most 60 characters');
  expect(sent.length).toBeLessThan(4_500);
  expect(request.maxOutputTokens).toBeGreaterThan(0);
});

test('sends the model the names of the files if a question has no words', () => {
  const files = [{ name: 'Leave.pdf', text: null }];
  const images = [{ name: 'Heron.png', tokens: 0, read: null }];
  const exchange = { question: { role: 'person', text: '', files, images } as const, answer: '' };
  const request = titleRequest({ ...exchange, locale: 'en' }, new AbortController().signal);
  expect(request.path[0]!.text).toContain('<question>\nLeave.pdf, Heron.png\n</question>');
});
