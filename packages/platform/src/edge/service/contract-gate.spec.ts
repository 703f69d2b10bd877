import { afterAll, beforeAll, beforeEach, describe, expect, test } from '@jest/globals';
import { Injectable } from '@nestjs/common';
import { permissions, type PersonPrincipal } from '@parley/contracts';
import { defineRoute, Problem, type RouteContract } from '@parley/protocol';
import { newId } from '../../base/ids/index.ts';
import type { Reporter } from '../../ports/reporter/index.ts';
import type { RevocationFeed } from '../revocations/index.ts';
import { feature } from './index.ts';
import { z } from 'zod';
import { anOrgId, aPerson, OwnerBench, startTestStore, type TestStore } from '@parley/testing';

const own = { service: 'org', response: z.unknown() } as const;
const routes = {
  person: defineRoute({ ...own, route: 'GET /api/org/test-person', scope: 'person', cost: 'read' }),
  member: defineRoute({
    ...own,
    route: 'GET /api/org/test-member',
    scope: 'organisation',
    permission: 'org:update',
    cost: 'read',
  }),
  admin: defineRoute({ ...own, route: 'GET /api/org/test-admin', scope: 'platform', cost: 'read' }),
  internal: defineRoute({ ...own, route: 'GET /internal/org/test', scope: 'internal' }),
  told: defineRoute({
    ...own,
    route: 'POST /internal/org/test-told',
    scope: 'internal',
    body: z.strictObject({ text: z.string() }),
  }),
  write: defineRoute({
    ...own,
    route: 'POST /api/org/test-write',
    scope: 'person',
    cost: 'write',
    body: z.strictObject({ text: z.string() }),
  }),
};

/** Handlers that return their scope, so that tests see whose rows they can access, and that fail on request. */
@Injectable()
class Handlers {
  person = ({ scope }: { scope: object }) => ({ ...scope });
  member = ({ scope }: { scope: object }) => ({ ...scope });
  admin = ({ scope }: { scope: { platform: string } }) => ({ platform: scope.platform });
  internal = ({ scope }: { scope: { platform: string } }) => ({ platform: scope.platform });

  told = ({ body }: { body: object }) => body;

  write({ body }: { body: { text: string } }): object {
    if (body.text === 'known') throw new Problem('platform.conflict', { detail: 'Late.' });
    if (body.text === 'unknown') throw new Error('a secret of ours');
    return body;
  }
}

let store: TestStore;
let service: OwnerBench;
let revoked: Set<string>;
let reported: unknown[];
beforeAll(async () => {
  store = await startTestStore();
  service = await OwnerBench.start(store, 'org', {
    modules: [feature({ routes, handlers: Handlers as never })],
    providers: () => [],
    group: null,
    platform: {
      reporter: { report: (error: unknown) => void reported.push(error) } as unknown as Reporter,
      revocations: {
        check: async ({ userId }: PersonPrincipal) => {
          if (revoked.has(userId)) throw new Problem('platform.unauthenticated');
        },
      } as unknown as RevocationFeed,
    },
  });
});
afterAll(async () => {
  await service.close();
  await store.close();
});
beforeEach(() => {
  [revoked, reported] = [new Set(), []];
});

type Call = NonNullable<Parameters<OwnerBench['call']>[1]>;
async function ask(route: RouteContract, call: Call = {}): Promise<[number, unknown]> {
  const response = await service.call(route, call);
  const body = (await response.json()) as { code?: string };
  return [response.status, body.code ?? body];
}
const orgId = anOrgId();
const member = (more: Partial<PersonPrincipal> = {}) =>
  aPerson({ organisation: { orgId, permissions, rightsVersion: 1 }, ...more });
const aService = { kind: 'service', service: 'chat' } as const;

describe('callers of a route', () => {
  test('lets everyone whose session isn’t revoked call a route of people', async () => {
    const me = aPerson();
    expect(await ask(routes.person, { as: me })).toEqual([200, { userId: me.userId }]);
    revoked.add(me.userId);
    expect(await ask(routes.person, { as: me })).toEqual([401, 'platform.unauthenticated']);
    expect(await ask(routes.person)).toEqual([401, 'platform.unauthenticated']);
    expect(await ask(routes.person, { as: aService })).toEqual([401, 'platform.unauthenticated']);
  });

  test('lets members with the route’s permission call a route of an organisation, within that organisation', async () => {
    expect(await ask(routes.member, { as: member() })).toEqual([200, { orgId }]);
    const without = permissions.filter((permission) => permission !== 'org:update');
    const reader = member({ organisation: { orgId, permissions: without, rightsVersion: 1 } });
    expect(await ask(routes.member, { as: reader })).toEqual([403, 'platform.forbidden']);
    expect(await ask(routes.member, { as: aPerson() })).toEqual([400, 'platform.organisation-missing']);
  });

  test('lets only platform admins call a route of the platform', async () => {
    const admin = aPerson({ platformRole: 'admin' });
    expect(await ask(routes.admin, { as: admin })).toEqual([200, { platform: 'platform admin' }]);
    expect(await ask(routes.admin, { as: member() })).toEqual([403, 'platform.forbidden']);
  });

  test('lets services call an internal route, and no person', async () => {
    expect(await ask(routes.internal, { as: aService })).toEqual([200, { platform: 'a call of chat' }]);
    const admin = aPerson({ platformRole: 'admin' });
    expect(await ask(routes.internal, { as: admin })).toEqual([401, 'platform.unauthenticated']);
    expect(await ask(routes.internal)).toEqual([401, 'platform.unauthenticated']);
  });
});

describe('input of a route', () => {
  const as = aPerson({ userId: newId('user') });

  test('refuses input that doesn’t match the contract, and names its path', async () => {
    expect(await ask(routes.write, { as, body: { text: 'x' } })).toEqual([200, { text: 'x' }]);
    for (const body of [{ text: 1 }, { text: 'x', more: 1 }, [], {}])
      expect(await ask(routes.write, { as, body })).toEqual([400, 'platform.invalid-request']);
    expect(await ask(routes.person, { as, path: `${routes.person.path}?x=1` })).toEqual([
      400,
      'platform.invalid-request',
    ]);
  });
});

test('ignores unknown fields of another service, which can be newer, and refuses missing ones', async () => {
  const sent = { as: aService, body: { text: 'x', more: { deep: 1 } } };
  expect(await ask(routes.told, sent)).toEqual([200, { text: 'x' }]);
  expect(await ask(routes.told, { as: aService, body: { more: 1 } })).toEqual([400, 'platform.invalid-request']);
  const { internal } = routes;
  expect(await ask(internal, { as: aService, path: `${internal.path}?more=1` })).toEqual([
    200,
    { platform: 'a call of chat' },
  ]);
});

describe('errors of a route', () => {
  const as = aPerson();

  test('returns expected errors and doesn’t report them', async () => {
    const response = await service.call(routes.write, { as, body: { text: 'known' } });
    expect([response.status, response.headers.get('content-type')]).toEqual([
      409,
      'application/problem+json; charset=utf-8',
    ]);
    expect(await response.json()).toMatchObject({ code: 'platform.conflict', detail: 'Late.' });
    expect(reported).toEqual([]);
  });

  test('hides internal errors from the caller and reports them with their cause', async () => {
    const traceparent = `00-${'a'.repeat(32)}-${'b'.repeat(16)}-01`;
    const response = await service.call(routes.write, { as, body: { text: 'unknown' }, traceparent });
    const text = await response.text();
    expect([response.status, text.includes('secret')]).toEqual([500, false]);
    expect(JSON.parse(text)).toMatchObject({ code: 'platform.internal', traceId: 'a'.repeat(32) });
    expect(reported).toMatchObject([{ message: 'a secret of ours' }]);
  });
});
