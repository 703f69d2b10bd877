import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import { jsonBodyLimitOf, type RouteContract } from '@parley/protocol';
import { newId } from '@parley/platform/ids';
import { outsideRoutes } from './all-rows.spec-setup.ts';
import type { Row } from './rows.spec-setup.ts';
import { isChange, requestOf, Scene } from './scene.spec-setup.ts';

const sites: readonly [string, Record<string, string>][] = [
  ['another site', { 'sec-fetch-site': 'cross-site' }],
  ['a sibling site', { 'sec-fetch-site': 'same-site' }],
  ['a foreign origin', { origin: 'https://evil.example' }],
  ['an opaque origin', { origin: 'null' }],
];
const badBodies = ['{', '[]', 'null', '"text"', '{}', '{"$where":"1"}'];
const badIds = ['..', '%2e%2e', 'a%2fb', '__proto__', '1', '%00', 'x'.repeat(80)];

let scene: Scene;

/**
 * Tries every route with bad input: from other sites, malformed, too large, with operators instead of values. The same
 * code refuses a foreign site, a body or an id for all routes, so each route can take one form of each, in turn.
 */
export function describeInputs(forms: 'all' | 'in turn'): () => Scene {
  beforeAll(async () => {
    scene = await Scene.start();
  }, 90_000);
  afterAll(() => scene.close());

  for (const [index, [name, route, row]] of outsideRoutes.entries()) {
    const chosen = <Form>(all: readonly Form[]): readonly Form[] =>
      forms === 'all' ? all : all.filter((_form, at) => at === index % all.length);
    describe(name, () => refuse(route, row, chosen));
  }
  return () => scene;
}

function refuse(route: RouteContract, row: Row, chosen: <Form>(all: readonly Form[]) => readonly Form[]): void {
  const request = requestOf(row);
  if (isChange(route)) {
    test.each(chosen(sites))('from %s: 403', async (_site, headers) => {
      const answer = await scene.call(scene.world.owner, route, await request(scene.world), { headers });
      expect([answer.status, answer.problem?.code]).toEqual([403, 'bff.cross-site']);
    });

    test('without the CSRF header: 403', async () => {
      const path = route.path.replaceAll(/:[A-Za-z]+/g, newId('message'));
      const headers = { 'content-type': 'application/json' };
      const response = await fetch(scene.running.url + path, { method: route.method, headers });
      expect(response.status).toBe(403);
      await response.text();
    });
  }

  if (route.body) {
    test.each(chosen(badBodies))('a body of %s: 400', async (body) => {
      const answer = await scene.call(scene.world.owner, route, await request(scene.world), { body });
      expect(answer.status).toBe(400);
    });

    test('an unknown property, and an operator in the place of a value: 400', async () => {
      const good = await request(scene.world);
      const given = good.body as Record<string, unknown>;
      const statusOf = async (changed: Record<string, unknown>) => {
        const body = JSON.stringify({ ...given, ...changed });
        return (await scene.call(scene.world.owner, route, good, { body })).status;
      };
      expect(await statusOf({ platformRole: 'admin' })).toBe(400);
      for (const field of Object.keys(given))
        expect([field, await statusOf({ [field]: { $ne: null } })]).toEqual([field, 400]);
    });

    test('a body that is too large: 413', async () => {
      const body = JSON.stringify({ filler: 'x'.repeat(jsonBodyLimitOf(route)) });
      const answer = await scene.call(scene.world.owner, route, await request(scene.world), { body });
      expect([answer.status, answer.problem?.code]).toEqual([413, 'platform.body-too-large']);
    });

    test('a form instead of JSON: 415', async () => {
      const form = { headers: { 'content-type': 'application/x-www-form-urlencoded' }, body: 'a=1' };
      const answer = await scene.call(scene.world.owner, route, await request(scene.world), form);
      expect([answer.status, answer.problem?.code]).toEqual([415, 'platform.unsupported-media-type']);
    });
  } else if (isChange(route) && route.rawBodyLimit === undefined) {
    test('a body where none is expected: 400', async () => {
      const client = await scene.callerOf(row);
      const answer = await scene.call(client, route, await request(scene.world), { body: '{"a":1}' });
      expect(answer.status).toBe(400);
    });
  }

  test('an unknown query: 400', async () => {
    const good = await request(scene.world);
    const query = { ...good.query, 'a[$ne]': '1' };
    expect((await scene.call(await scene.callerOf(row), route, { ...good, query })).status).toBe(400);
  });

  if (route.path.includes(':')) {
    test.each(chosen(badIds))('an id of %s: refused', async (id) => {
      const good = await request(scene.world);
      const params = Object.fromEntries(Object.keys(good.params ?? {}).map((key) => [key, id]));
      const calling = scene.call(scene.world.owner, route, { ...good, params });
      // The client itself refuses an address that it cannot send.
      const { status } = await calling.catch((error: unknown) => ({ status: error instanceof TypeError ? 400 : 500 }));
      expect([400, 404, 405]).toContain(status);
    });
  }
}
