import { describe, expect, it } from '@jest/globals';
import { fewest, shareOf } from './wilson.ts';

describe('the share of good ratings', () => {
  it('has Wilson’s range', () => {
    const { share, low, high } = shareOf({ up: 81, down: 19 })!;
    expect(share).toBe(0.81);
    // Newcombe 1998, example of 81 of 263 by his method 3 is 0.2553 to 0.3662.
    const known = shareOf({ up: 81, down: 182 })!;
    expect([known.low.toFixed(4), known.high.toFixed(4)]).toEqual(['0.2553', '0.3662']);
    expect(low).toBeLessThan(share);
    expect(high).toBeGreaterThan(share);
  });

  it('never leaves what a share can be', () => {
    expect(shareOf({ up: 20, down: 0 })).toMatchObject({ share: 1, high: 1 });
    expect(shareOf({ up: 0, down: 20 })).toMatchObject({ share: 0, low: 0 });
  });

  it('is not told of too few', () => {
    expect(shareOf({ up: fewest - 1, down: 0 })).toBeNull();
    expect(shareOf({ up: 0, down: 0 })).toBeNull();
  });
});
