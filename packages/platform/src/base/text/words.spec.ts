import { describe, expect, test } from '@jest/globals';
import { askedWords, languageOf, stemsOf } from './words.ts';

describe('languageOf', () => {
  test.each([
    ['The heron stands in the reeds, and it waits for fish.', 'en'],
    ['Der Reiher steht im Schilf und wartet auf einen Fisch.', 'de'],
    ['Le héron est dans les roseaux et il attend un poisson.', 'fr'],
    ['La garza está en los juncos y espera a un pez.', 'es'],
    ['A garça está nos juncos e ela espera por um peixe, mas não vem.', 'pt'],
    ['يقف مالك الحزين في القصب وينتظر السمك على ضفة النهر', 'ar'],
    ['燃料は軽油です。', null],
    ['E17 4911', null],
  ])('recognises the language of the text: %s', (text, language) => expect(languageOf(text)).toBe(language));
});

test('stores a text by the stems of its words', () => {
  expect([...stemsOf('Parking permits', 'en')]).toEqual(['park', 'permit']);
  expect([...stemsOf('Parking permits', null)]).toEqual(['parking', 'permits']);
});

describe('askedWords', () => {
  test('leaves out small words of a question, and marks words that only say how it is asked', () => {
    expect(askedWords('How many herons are there?')).toEqual([
      { stems: ['mani', 'many'], isAsking: true },
      { stems: ['heron', 'herons'], isAsking: false },
    ]);
  });
  test('matches a question in any language if its language isn’t known', () => {
    expect(askedWords('Zählers')[0]?.stems).toEqual(expect.arrayContaining(['zahl', 'zahlers']));
  });
  test('returns no words for a question with only small words', () => expect(askedWords('What is it?')).toEqual([]));
  test('leaves out the endings of Japanese words', () => {
    expect(
      askedWords('軽油ですか')
        .filter(({ isAsking }) => !isAsking)
        .map(({ stems }) => stems[0]),
    ).toEqual(['軽油']);
  });
});
