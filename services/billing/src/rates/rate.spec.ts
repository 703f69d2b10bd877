import { describe, expect, test } from '@jest/globals';
import fc from 'fast-check';
import { costOf, overlap } from './rate.ts';

const prices = { inputMicros: 2_500_000, outputMicros: 10_000_000, cachedMicros: 1_250_000 };
const tokens = { inputTokens: 0, outputTokens: 0, cachedTokens: 0 };

describe('the cost of an attempt', () => {
  test('is each kind of tokens at its price; cached ones are part of the input', () => {
    expect(costOf({ inputTokens: 1_000_000, outputTokens: 0, cachedTokens: 0 }, prices)).toBe(2_500_000);
    expect(costOf({ inputTokens: 1_000, outputTokens: 200, cachedTokens: 400 }, prices)).toBe(1_500 + 500 + 2_000);
  });

  test('is rounded half up, once for all kinds together', () => {
    const half = { inputMicros: 500_000, outputMicros: 500_000, cachedMicros: 499_999 };
    expect(costOf({ ...tokens, inputTokens: 1 }, half)).toBe(1);
    expect(costOf({ ...tokens, inputTokens: 1, cachedTokens: 1 }, half)).toBe(0);
    expect(costOf({ ...tokens, inputTokens: 1, outputTokens: 1 }, half)).toBe(1);
  });

  test('is exact to half a micro-unit, and grows with the tokens', () => {
    const count = fc.integer({ min: 0, max: 1_000_000_000 });
    const price = fc.integer({ min: 0, max: 100_000_000_000 });
    const priced = fc.record({ inputMicros: price, outputMicros: price, cachedMicros: price });
    fc.assert(
      fc.property(count, count, fc.nat(100), priced, (input, output, percent, at) => {
        const cached = Math.floor((input * percent) / 100);
        const cost = costOf({ inputTokens: input, outputTokens: output, cachedTokens: cached }, at);
        const exact =
          BigInt(input - cached) * BigInt(at.inputMicros) +
          BigInt(cached) * BigInt(at.cachedMicros) +
          BigInt(output) * BigInt(at.outputMicros);
        const error = BigInt(cost) * 1_000_000n - exact;
        expect(Number.isSafeInteger(cost) && error > -500_000n && error <= 500_000n).toBe(true);
        expect(
          costOf({ inputTokens: input, outputTokens: output + 1, cachedTokens: cached }, at),
        ).toBeGreaterThanOrEqual(cost);
      }),
    );
  });
});

test('prices overlap when a moment has both; the end of one may be the beginning of the other', () => {
  const span = (from: number, until: number | null) => ({
    validFrom: new Date(from),
    validUntil: until === null ? null : new Date(until),
  });
  expect(overlap(span(0, 5), span(5, null))).toBe(false);
  expect(overlap(span(0, 6), span(5, null))).toBe(true);
  expect(overlap(span(0, null), span(5, 6))).toBe(true);
  // One that was ended before it began.
  expect(overlap(span(5, 5), span(0, null))).toBe(false);
});
