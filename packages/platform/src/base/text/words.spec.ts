import { describe, expect, test } from '@jest/globals';
import { askedWords, languageOf, stemsOf } from './words.ts';

describe('the language of a text', () => {
  test.each([
    ['The heron stands in the reeds, and it waits for fish.', 'en'],
    ['Der Reiher steht im Schilf und wartet auf einen Fisch.', 'de'],
    ['Le héron est dans les roseaux et il attend un poisson.', 'fr'],
    ['La garza está en los juncos y espera a un pez.', 'es'],
    ['A garça está nos juncos e ela espera por um peixe, mas não vem.', 'pt'],
    ['يقف مالك الحزين في القصب وينتظر السمك على ضفة النهر', 'ar'],
    ['燃料は軽油です。', null],
    ['E17 4911', null],
  ])('%s', (text, language) => expect(languageOf(text)).toBe(language));
});

test('stores a text by the stems of its words', () => {
  expect([...stemsOf('Parking permits', 'en')]).toEqual(['park', 'permit']);
  expect([...stemsOf('Parking permits', null)]).toEqual(['parking', 'permits']);
});

describe('the words of a question', () => {
  test('leave out small words, and mark those that only say how it is asked', () => {
    expect(askedWords('How many herons are there?')).toEqual([
      { stems: ['mani', 'many'], isAsking: true },
      { stems: ['heron', 'herons'], isAsking: false },
    ]);
  });
  test('match any language if the language isn’t known', () => {
    expect(askedWords('Zählers')[0]?.stems).toEqual(expect.arrayContaining(['zahl', 'zahlers']));
  });
  test('are none if it has only small words', () => expect(askedWords('What is it?')).toEqual([]));
  test('leave out the endings of Japanese', () => {
    expect(
      askedWords('軽油ですか')
        .filter(({ isAsking }) => !isAsking)
        .map(({ stems }) => stems[0]),
    ).toEqual(['軽油']);
  });
});
