import { describe, expect, test } from '@jest/globals';
import { Problem, type ProblemCode } from '@parley/protocol';
import { problemCatalogue } from '../problems.ts';
import { costClasses } from '../limits/rates.ts';
import { routeEntries } from './routes.ts';

test('no address is that of two routes', () => {
  const outside = routeEntries.map(([, route]) => route);
  for (const { method, path } of outside) {
    const pattern = new RegExp(`^${path.replaceAll(/:[A-Za-z]+/g, '[^/]+')}$`);
    const alike = outside.filter((other) => other.method === method && pattern.test(other.path));
    expect(alike.map((other) => other.path)).toEqual([path]);
  }
});

describe.each(routeEntries)('%s', (_name, route) => {
  test('says whose it is, and where it lives', () => {
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

test('what takes a file, is a stream or is for programs says how long it may take, and little else does', () => {
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

test('visitors cannot hammer what checks passwords', () => {
  // Signing in is bounded by account and network in auth, and by the passwords compared at once.
  for (const [name, route] of routeEntries)
    if (route.session === 'starts') expect(route.cost).toBe(name === 'signIn' ? 'sign-in' : 'secret');
  expect(costClasses.secret.address).toBeLessThanOrEqual(60);
});

test('a problem on the wire carries its code, status and title, never a stack', () => {
  for (const code of Object.keys(problemCatalogue) as ProblemCode[]) {
    const details = new Problem(code).toDetails({ traceId: 't' });
    const { status, title } = problemCatalogue[code];
    expect(details).toEqual({ type: `urn:parley:problem:${code}`, code, traceId: 't', status, title });
  }
});
