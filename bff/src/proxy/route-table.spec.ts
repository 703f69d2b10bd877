import { expect, test } from '@jest/globals';
import { routeEntries } from '@parley/contracts';
import { findRoute } from './route-table.ts';

const outcome = (method: string, path: string): string => {
  try {
    return findRoute(method, path).path;
  } catch (error) {
    return (error as { code: string }).code;
  }
};

test('each route but the internal ones is found by its method and path', () => {
  for (const [, route] of routeEntries) {
    const path = route.path.replaceAll(/:[A-Za-z]+/g, 'some_id-1');
    expect(outcome(route.method, path)).toBe(route.scope === 'internal' ? 'platform.not-found' : route.path);
  }
});

test('another method of a known path is told as such', () => {
  expect(outcome('PUT', '/api/auth/registration')).toBe('platform.method-not-allowed');
  expect(outcome('GET', '/api/nothing')).toBe('platform.not-found');
});

test.each([
  '/api/chat/conversations/',
  '/api/chat//conversations',
  '/api/chat/conversations/a%2Fb',
  '/api/chat/conversations/..',
  '/api/chat/conversations/a.b',
  '/api/chat/conversations/a b',
  `/api/chat/conversations/${'a'.repeat(65)}`,
  '/x/api/chat/conversations',
  '/api/chat/conversations/id/x/y/z',
  '/internal/auth/revocations',
])('%s steers nowhere', (path) => expect(outcome('GET', path)).toBe('platform.not-found'));
