import { describe, expect, test } from '@jest/globals';
import { answers, byStem, inverseFrequency, lengthIn, relevance, wordCounts, type Weighed } from './ranking.ts';

const word = (stem: string, weight: number, more: Partial<Weighed> = {}): Weighed => ({
  stems: [stem],
  weight,
  isAsking: false,
  ...more,
});
const judge = (asked: readonly Weighed[], text: string, heading: string | null = null) =>
  relevance(wordCounts({ heading, text }, 'en'), { words: byStem(asked), asked, averageLength: 10 });

describe('ranking', () => {
  test('a rare word weighs more than a common one', () => {
    expect(inverseFrequency(1, 1_000)).toBeGreaterThan(inverseFrequency(500, 1_000));
  });

  test('words are counted by their stems, those of the heading twice; a number is no count, the beginning of a word no word', () => {
    const counts = wordCounts({ heading: 'Parking', text: 'Park here: 2 cars park in 12 places.' }, 'en');
    expect(lengthIn(counts)).toBe(9);
    const scoreOf = (stem: string) => judge([word(stem, 1)], 'Park here: 2 cars park in 12 places.', 'Parking').score;
    expect(scoreOf('park')).toBeGreaterThan(scoreOf('car'));
    expect(scoreOf('car')).toBe(scoreOf('12'));
    expect([scoreOf('1'), scoreOf('4'), scoreOf('place'), scoreOf('plac')].map((score) => score > 0)).toEqual([
      false,
      false,
      true,
      false,
    ]);
    const both = [{ ...word('the', 1), stems: ['car', 'place'] }];
    expect(judge(both, 'car place').score).toBe(judge([word('car', 1)], 'car car').score);
  });

  test('of two texts with the same word the shorter one is better, and one that has it above still more', () => {
    const asked = [word('vpn', 2)];
    const [short, long] = [judge(asked, 'vpn down'), judge(asked, `vpn ${'filler '.repeat(40)}`)];
    expect(short.score).toBeGreaterThan(long.score);
    expect(judge(asked, 'down again', 'VPN').score).toBeGreaterThan(judge(asked, 'vpn down again').score);
  });

  test('forms of a word are one', () => expect(judge([word('park', 1)], 'Parking is free.').coverage).toBe(1));

  test('how much of what was asked about is there: words that only ask count where there are no others', () => {
    const asked = [word('heron', 2), word('fli', 2), word('mani', 9, { isAsking: true })];
    expect(judge(asked, 'Many herons stand.').coverage).toBe(0.5);
    expect(judge([word('mani', 9, { isAsking: true })], 'Many stand.').coverage).toBe(1);
    expect(judge([], 'Many stand.').coverage).toBe(0);
  });

  test('a passage answers where it holds two fifths of it at least', () => {
    expect([0.41, 0.42, 1].map((coverage) => answers({ coverage }))).toEqual([false, true, true]);
  });
});
