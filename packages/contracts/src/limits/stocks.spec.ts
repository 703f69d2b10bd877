import { expect, test } from '@jest/globals';
import { ceilingNames, isCounterName, stockLimits } from './stocks.ts';

const mostCounted = 1_000;

test.each(ceilingNames)('%s has a counter only if it can be raised to more than rows can be counted', (name) => {
  expect(isCounterName(name)).toBe(stockLimits[name].highest > mostCounted);
});
