import { describe, expect, it } from '@jest/globals';
import { runsOf, spread, topOf } from './chart-scale.ts';

describe('a chart', () => {
  it('ends at a round figure that nothing exceeds', () => {
    expect([0, 1, 3, 41, 900, 1_001, 0.3].map(topOf)).toEqual([4, 1, 4, 60, 1_000, 2_000, 0.4]);
  });

  it('has a gap where nothing was counted, and a dot where something stands alone', () => {
    expect(runsOf([1, 2, null, 4, null], 4).map((run) => run.map(({ y }) => y))).toEqual([[0.25, 0.5], [1]]);
  });

  it('keeps names apart, in the order of their lines and within its height', () => {
    expect(spread([0.5, 0.5, 0.1], 0.1)).toEqual([0.5, 0.6, 0.1]);
    const [high, higher] = spread([0.98, 1], 0.1);
    expect([high, higher]).toEqual([0.9, 1]);
  });
});
