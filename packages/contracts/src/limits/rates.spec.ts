import { expect, test } from '@jest/globals';
import { routeEntries } from '../http/routes.ts';
import { socketEventCosts } from '../realtime/socket.ts';
import { keptPart, madePart } from './limits-page.spec-setup.ts';
import { atOnceOf, costClasses, ratesOf, type CostClass } from './rates.ts';

test('docs/reference/limits.md matches the tables; otherwise run npm run docs:limits', () => {
  expect(keptPart()).toBe(madePart());
});

test('every route that can be called from outside has a cost class that counts the caller', () => {
  for (const [, { route, scope, cost }] of routeEntries) {
    if (scope === 'internal') continue;
    const rates = cost && ratesOf(cost);
    expect([route, (scope === 'public' ? rates?.address : rates?.person) !== undefined]).toEqual([route, true]);
  }
});

test('every route that can be called from outside limits the concurrent requests of a caller', () => {
  for (const [, route] of routeEntries) {
    if (route.scope === 'internal') continue;
    const { person, address } = atOnceOf(route) ?? {};
    expect([route.route, (route.scope === 'public' ? address : person) !== undefined]).toEqual([route.route, true]);
  }
});

test('every cost class is used by a route or a socket event', () => {
  const used = new Set([...routeEntries.map(([, { cost }]) => cost), ...Object.values(socketEventCosts)]);
  expect((Object.keys(costClasses) as CostClass[]).filter((cost) => !used.has(cost))).toEqual([]);
});

test('an organisation of 500 has the rate of at least five members, and one member can’t use it up alone', () => {
  for (const cost of Object.keys(costClasses) as CostClass[]) {
    const { person, organisation } = ratesOf(cost);
    if (person !== undefined && organisation !== undefined)
      expect([cost, organisation >= 5 * person]).toEqual([cost, true]);
  }
});
