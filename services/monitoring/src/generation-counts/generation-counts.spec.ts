import { expect, test } from '@jest/globals';
import { incrementsOf, type CountedEvent } from './generation-counts.ts';

test('a queued answer counts as queued', () => expect(incrementsOf({} as CountedEvent['data'])).toEqual({ queued: 1 }));
test('an ended attempt counts by its outcome, with its tokens', () => {
  expect(incrementsOf({ outcome: 'failed', inputTokens: 3, outputTokens: 4 } as CountedEvent['data'])).toEqual({
    failed: 1,
    inputTokens: 3,
    outputTokens: 4,
  });
});
