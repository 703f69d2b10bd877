import { describe, expect, test } from '@jest/globals';
import { Problem, type ProblemCode } from '@parley/protocol';
import { problemCatalogue } from '../problems.ts';
import { costClasses } from '../limits/rates.ts';
import { routeEntries } from './routes.ts';

test('no two routes have the same address', () => {
  const outside = routeEntries.map(([, route]) => route);
  for (const { method, path } of outside) {
    const pattern = new RegExp(`^${path.replaceAll(/:[A-Za-z]+/g, '[^/]+')}$`);
    const alike = outside.filter((other) => other.method === method && pattern.test(other.path));
    expect(alike.map((other) => other.path)).toEqual([path]);
  }
});

describe.each(routeEntries)('the route %s', (_name, route) => {
  test('names its scope and its service', () => {
    const isInternal = route.scope === 'internal';
    const places = isInternal ? [`/internal/${route.service}/`] : [`/api/${route.service}/`, '/v1/'];
    expect(places.some((place) => route.path.startsWith(place))).toBe(true);
    expect(route.permission !== undefined).toBe(route.scope === 'organisation');
    const hasText = route.response !== undefined || route.stream !== undefined;
    const answers = [hasText, route.bytes !== undefined, route.download, route.status === 204];
    expect(answers.filter(Boolean)).toHaveLength(1);
    expect(route.path.includes(':')).toBe(route.params !== undefined);
  });
});

test('routes that take a file, stream or serve API clients have a time limit of their own; most others don’t', () => {
  const outside = routeEntries.map(([, route]) => route).filter(({ scope }) => scope !== 'internal');
  const isLong = ({ cost, path }: (typeof outside)[number]) => cost === 'upload' || path.startsWith('/v1/');
  expect(outside.filter((route) => isLong(route) !== (route.patienceMs !== undefined)).map(({ path }) => path)).toEqual(
    ['/api/org/invitations', '/api/chat/connections/preview', '/api/chat/providers/test'],
  );
});

test('method and path are unique', () => {
  const all = routeEntries.map(([, { method, path }]) => `${method} ${path}`);
  expect(new Set(all).size).toBe(all.length);
});

test('visitors can’t try passwords at a high rate', () => {
  // Only `signIn` has a high rate, because auth limits sign-ins itself: by account and network, and by the passwords
  // that it compares at once.
  for (const [name, route] of routeEntries)
    if (route.session === 'starts') expect(route.cost).toBe(name === 'signIn' ? 'sign-in' : 'secret');
  expect(costClasses.secret.address).toBeLessThanOrEqual(60);
});

test('a problem in a response has code, status and title, never a stack', () => {
  for (const code of Object.keys(problemCatalogue) as ProblemCode[]) {
    const details = new Problem(code).toDetails({ traceId: 't' });
    const { status, title } = problemCatalogue[code];
    expect(details).toEqual({ type: `urn:parley:problem:${code}`, code, traceId: 't', status, title });
  }
});
