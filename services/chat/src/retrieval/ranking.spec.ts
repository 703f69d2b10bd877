import { describe, expect, test } from '@jest/globals';
import { answers, byStem, inverseFrequency, keyScore, relevance, type Weighed } from './ranking.ts';

const word = (stem: string, weight: number, more: Partial<Weighed> = {}): Weighed => ({
  stems: [stem],
  weight,
  isAsking: false,
  ...more,
});
const judge = (asked: readonly Weighed[], text: string, heading: string | null = null) =>
  relevance({ heading, text, language: 'en' }, { words: byStem(asked), asked, averageLength: 10 });

describe('ranking', () => {
  test('a rare word weighs more than a common one', () => {
    expect(inverseFrequency(1, 1_000)).toBeGreaterThan(inverseFrequency(500, 1_000));
  });

  test('keys score by the words they hold, each once by whatever stem', () => {
    const words = byStem([word('vpn', 3), { ...word('the', 0.1), stems: ['the', 'thee'] }]);
    expect(keyScore(['thee', 'the', 'vpn', 'x'], words)).toBeCloseTo(3.1);
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
