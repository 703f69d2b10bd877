import { expect, test } from '@jest/globals';
import { eventDefinitions } from '@parley/contracts';
import { acts } from './acts.spec-setup.ts';
import { screenReads, unread } from './screen-reads.spec-setup.ts';

test('every event with a rule has an act, and nothing else has one', () => {
  const withRule = eventDefinitions.filter(({ live }) => live !== null && live !== 'conversation');
  expect(Object.keys(acts).toSorted()).toEqual(withRule.map(({ type }) => type).toSorted());
  expect(Object.values(acts).filter((some) => some.length === 0)).toEqual([]);
});

test('the browser reads something under every resource that is compared', () => {
  expect(unread(screenReads())).toEqual([]);
});
