import { expect, test } from '@jest/globals';
import type { OrgId } from '@parley/contracts';
import { newId } from '@parley/platform/ids';
import { Places } from './places.ts';

const [mine, theirs, third]: OrgId[] = [newId('organisation'), newId('organisation'), newId('organisation')];
/** How many of these the organisation gets at once. */
const takes = (places: Places, orgId: OrgId): number => {
  let taken = 0;
  while (taken < 1_000 && places.take(orgId)) taken += 1;
  return taken;
};

test.each([
  [200, 100],
  [5, 2],
  [2, 1],
  [1, 1],
])('of %i places one organisation has at most %i', (all, most) => expect(takes(new Places(all), mine!)).toBe(most));

test('the other half is there for others, and no more than that', () => {
  const places = new Places(6);
  expect([takes(places, mine!), places.free, takes(places, theirs!), takes(places, third!)]).toEqual([3, 3, 3, 0]);
});

test('a place that is given back is taken again', () => {
  const places = new Places(4);
  expect(takes(places, mine!)).toBe(2);
  expect([places.isFullFor(mine!), places.isFullFor(theirs!), places.withTheirHalf()]).toEqual([true, false, [mine]]);
  places.giveBack(mine!);
  expect([places.isFullFor(mine!), places.withTheirHalf(), places.free]).toEqual([false, [], 3]);
  expect([takes(places, mine!), takes(places, theirs!), takes(places, third!)]).toEqual([1, 2, 0]);
});
