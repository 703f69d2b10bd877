import { expect, test } from '@jest/globals';
import { searchedOf } from './searched-of.ts';

const asked = (...texts: readonly string[]) =>
  searchedOf(
    texts.flatMap((text) => [
      { role: 'person' as const, text },
      { role: 'assistant' as const, text: 'Herons.' },
    ]),
  );

test('a question is searched for by itself, one that names next to nothing with the one before it', () => {
  expect(asked('Which gateway restarts first?', 'What does parking in zone B cost?')).toBe(
    'What does parking in zone B cost?',
  );
  expect(asked('Which gateway restarts first?', 'And the second one?')).toBe(
    'Which gateway restarts first?\nAnd the second one?',
  );
  expect(asked('Parking?')).toBe('Parking?');
  expect(searchedOf([])).toBe('');
});

test('a long question is searched for by its beginning and its end', () => {
  const searched = searchedOf([{ role: 'person', text: `Why herons? ${'🪶'.repeat(20_000)} Or storks?` }]);
  expect(searched).toMatch(/^Why herons\?.* Or storks\?$/s);
  expect(searched.length).toBeLessThan(4_100);
  expect(searched.isWellFormed()).toBe(true);
});
