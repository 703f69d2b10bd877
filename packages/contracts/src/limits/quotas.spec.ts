import { expect, test } from '@jest/globals';
import { ceilingNames, isCounterName, quotaLimits } from './quotas.ts';

const mostCounted = 1_000;

test.each(ceilingNames.filter((name) => name !== 'emails'))(
  'the quota %s has a counter only if its ceiling can exceed the number of rows that can be counted',
  (name) => {
    expect(isCounterName(name)).toBe(quotaLimits[name].highest > mostCounted);
  },
);
