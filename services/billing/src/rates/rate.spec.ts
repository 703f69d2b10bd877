import { describe, expect, test } from '@jest/globals';
import fc from 'fast-check';
import type { RateId } from '@parley/contracts';
import type { RateRow } from './rate.collection.ts';
import { costOf, isSameKey, mayBeReplacedBy, overlap, says, timeFaultOf, type WantedRate } from './rate.ts';

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

test('two prices are for the same answers when model and host are the same', () => {
  const key = { model: 'm', host: 'models.example' };
  expect(isSameKey(key, { ...key })).toBe(true);
  expect(isSameKey(key, { ...key, model: 'n' })).toBe(false);
  expect(isSameKey(key, { ...key, host: null })).toBe(false);
});

describe('a wanted price', () => {
  const now = new Date(1_000);
  const wanted = (validFrom: Date | null, validUntil: Date | null = null): WantedRate => ({
    id: 'rate_1' as RateId,
    model: 'm',
    host: null,
    validFrom,
    validUntil,
    ...prices,
  });
  const there = (change: Partial<RateRow> = {}) =>
    ({ ...wanted(null), validFrom: new Date(500), validUntil: null, ...change }) as unknown as RateRow;

  test('is there already when it has the same three prices and the same end, and holds now', () => {
    expect(says(there(), wanted(null), now)).toBe(true);
    expect(says(there({ validFrom: now }), wanted(null), now)).toBe(true);
    for (const price of ['inputMicros', 'outputMicros', 'cachedMicros'])
      expect(says(there({ [price]: 1 }), wanted(null), now)).toBe(false);
    expect(says(there({ validUntil: new Date(2_000) }), wanted(null), now)).toBe(false);
    expect(says(there({ validFrom: new Date(1_001) }), wanted(null), now)).toBe(false);
    expect(says(there({ validUntil: now }), wanted(null, now), now)).toBe(false);
  });

  test('that names its beginning is there when it begins at the same time', () => {
    expect(says(there(), wanted(new Date(500)), now)).toBe(true);
    expect(says(there(), wanted(new Date(501)), now)).toBe(false);
  });

  test('replaces only an earlier one that has no end', () => {
    const from = (at: number, validUntil: Date | null = null) => ({ validFrom: new Date(at), validUntil });
    expect(mayBeReplacedBy(from(500), from(1_000))).toBe(true);
    expect(mayBeReplacedBy(from(1_000), from(1_000))).toBe(false);
    expect(mayBeReplacedBy(from(500, new Date(2_000)), from(1_000))).toBe(false);
  });

  test('begins now at the earliest and ends after its beginning', () => {
    expect(timeFaultOf(wanted(new Date(999)), now)).toBe('past');
    expect(timeFaultOf(wanted(now), now)).toBeNull();
    expect(timeFaultOf(wanted(null), now)).toBeNull();
    expect(timeFaultOf(wanted(null, now), now)).toBe('ends-before');
    expect(timeFaultOf(wanted(null, new Date(1_001)), now)).toBeNull();
    expect(timeFaultOf(wanted(new Date(2_000), new Date(1_500)), now)).toBe('ends-before');
  });
});
