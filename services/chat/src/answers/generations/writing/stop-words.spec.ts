import { expect, test } from '@jest/globals';
import { StopWords } from './stop-words.ts';

/** Returns the text that is sent when the answer comes in these pieces, and whether a stop word ended it. */
function said(words: readonly string[], pieces: readonly string[]): [string, boolean] {
  const stops = new StopWords(words);
  let text = '';
  for (const piece of pieces) {
    const taken = stops.take(piece);
    text += taken.text;
    if (taken.isOver) return [text, true];
  }
  return [text + stops.rest(), false];
}

test.each<[readonly string[], readonly string[], [string, boolean]]>([
  [[], ['a', 'b'], ['ab', false]],
  [['END'], ['a EN', 'D b'], ['a ', true]],
  [['END'], ['a EN', 'E'], ['a ENE', false]],
  [['aab'], ['aa', 'ab'], ['a', true]],
  [['later', 'now'], ['do it now or later'], ['do it ', true]],
  [['\n\n'], ['one\n', 'two\n', '\nthree'], ['one\ntwo', true]],
  [['END'], ['EN'], ['EN', false]],
  [['END'], ['END'], ['', true]],
])('%j in %j', (words, pieces, expected) => {
  expect(said(words, pieces)).toEqual(expected);
});

test('holds back only text that could begin a stop word', () => {
  const stops = new StopWords(['END']);
  expect(stops.take('all of this E')).toEqual({ text: 'all of this ', isOver: false });
  expect(stops.take('very word')).toEqual({ text: 'Every word', isOver: false });
});
