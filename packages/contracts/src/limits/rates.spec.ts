import { expect, test } from '@jest/globals';
import { routeEntries } from '../http/routes.ts';
import { socketEventCosts } from '../realtime/socket.ts';
import { keptPart, madePart } from './limits-page.spec-setup.ts';
import { atOnceOf, costClasses, ratesOf, type CostClass } from './rates.ts';

test('docs/reference/limits.md says what the tables say; otherwise: npm run docs:limits', () => {
  expect(keptPart()).toBe(madePart());
});

test('whatever can be called from outside has a class that counts whoever calls it', () => {
  for (const [, { route, scope, cost }] of routeEntries) {
    if (scope === 'internal') continue;
    const rates = cost && ratesOf(cost);
    expect([route, (scope === 'public' ? rates?.address : rates?.person) !== undefined]).toEqual([route, true]);
  }
});

test('each route that can be called from outside limits how many requests of a caller run at the same time', () => {
  for (const [, route] of routeEntries) {
    if (route.scope === 'internal') continue;
    const { person, address } = atOnceOf(route) ?? {};
    expect([route.route, (route.scope === 'public' ? address : person) !== undefined]).toEqual([route.route, true]);
  }
});

test('each class is that of some route or socket event', () => {
  const used = new Set([...routeEntries.map(([, { cost }]) => cost), ...Object.values(socketEventCosts)]);
  expect((Object.keys(costClasses) as CostClass[]).filter((cost) => !used.has(cost))).toEqual([]);
});

test('an organisation of 500 people can do what five of its members can, and one member cannot use it up', () => {
  for (const cost of Object.keys(costClasses) as CostClass[]) {
    const { person, organisation } = ratesOf(cost);
    if (person !== undefined && organisation !== undefined)
      expect([cost, organisation >= 5 * person]).toEqual([cost, true]);
  }
});
