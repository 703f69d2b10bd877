import { expect, test } from '@jest/globals';
import { ceilingNames, isCounterName, quotaLimits } from './quotas.ts';

const mostCounted = 1_000;

test.each(ceilingNames)('%s has a counter only if it can be raised to more than rows can be counted', (name) => {
  expect(isCounterName(name)).toBe(quotaLimits[name].highest > mostCounted);
});
