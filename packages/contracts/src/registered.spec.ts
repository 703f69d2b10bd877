import { expect, test } from '@jest/globals';
import { readdirSync } from 'node:fs';
import type { EventDefinition } from './events/define-event.ts';
import { eventDefinitions } from './events/events.ts';
import type { RouteContract } from './http/define-route.ts';
import { routeEntries } from './http/routes.ts';
import { resources, type Resource } from './realtime/resources.ts';

/** Everything that the files of a folder export: what is declared there and put on no list would be forgotten in silence. */
async function exportedBy(folder: string): Promise<unknown[]> {
  const url = new URL(`./${folder}/`, import.meta.url);
  const files = readdirSync(url).filter((file) => file.endsWith('.ts') && !file.endsWith('.spec.ts'));
  const modules = await Promise.all(files.map((file) => import(new URL(file, url).href) as Promise<object>));
  return modules.flatMap((exported) => Object.values(exported));
}
const has = (value: unknown, ...names: string[]): boolean =>
  typeof value === 'object' && value !== null && names.every((name) => name in value);

test('every event that is declared is among all events', async () => {
  const declared = (await exportedBy('events')).filter((value) => has(value, 'type', 'topic', 'parse'));
  const types = declared.map((event) => (event as EventDefinition).type);
  expect([...new Set(types)].toSorted()).toEqual(eventDefinitions.map(({ type }) => type).toSorted());
});

test('every route that is declared is among all routes', async () => {
  const declared = (await exportedBy('http')).filter((value) => has(value, 'service', 'route', 'scope'));
  const routes = declared.map((route) => (route as RouteContract).route);
  expect([...new Set(routes)].toSorted()).toEqual(routeEntries.map(([, { route }]) => route).toSorted());
});

/** Conversations have sequenced messages of their own; the others are read when they are asked for. */
const unannounced: readonly Resource[] = ['provider-offers', 'conversations', 'messages', 'passages', 'search'];

test('every resource is made old by some event', () => {
  const named = new Set(
    eventDefinitions.flatMap(({ live }) => (live === null || live === 'conversation' ? [] : live.resources)),
  );
  const never = (Object.keys(resources) as Resource[]).filter((resource) => !named.has(resource));
  expect(never).toEqual(unannounced);
});
