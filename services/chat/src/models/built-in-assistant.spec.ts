import { describe, expect, test } from '@jest/globals';
import { composeAnswer } from './built-in-assistant.ts';

const ask = (text: string) => [{ role: 'person' as const, text }];
const passage = {
  number: 1,
  documentName: 'Leave policy',
  heading: 'Holidays',
  text: 'Everyone has 30 days. Carry-over ends in March. Ask your lead.',
};

describe('the built-in assistant', () => {
  test('without documents says what it can and cannot do', () => {
    const answer = composeAnswer({ turns: ask('hello'), passages: [], documentCount: 0, locale: 'en' });
    expect(answer).toContain('What works now');
    expect(answer).toContain('What does not');
  });
  test('quotes the sentence that shares most words, with its number', () => {
    const answer = composeAnswer({
      turns: ask('when does carry-over end?'),
      passages: [passage],
      documentCount: 3,
      locale: 'en',
    });
    expect(answer).toContain('> Carry-over ends in March. Ask your lead. [1]');
    expect(answer).toContain('No language model is set up');
  });
  test('says that nothing matches', () => {
    expect(composeAnswer({ turns: ask('x'), passages: [], documentCount: 2, locale: 'en' })).toContain(
      'your 2 documents',
    );
  });
  test('speaks Arabic to readers of Arabic', () => {
    expect(composeAnswer({ turns: ask('x'), passages: [], documentCount: 0, locale: 'ar' })).toMatch(/[\u0600-\u06FF]/);
  });
});
