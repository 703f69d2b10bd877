import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import {
  allRoutes,
  hasPermission,
  routeEntries,
  type ProblemDetails,
  type RouteContract,
  type RouteName,
} from '@parley/contracts';
import { newId } from '@parley/platform/ids';
import { ParleyClient } from '@parley/testing/client';
import { eventually } from '@parley/testing';
import { rows, type Row, type RowRequest, type World } from './tenant-matrix-rows.spec-setup.ts';
import { newPerson, plantMember, startTestParley, type TestParley } from './test-parley.spec-setup.ts';

let running: TestParley;
let world: World;
let otherOwner: ParleyClient;
let guest: ParleyClient;
/** The owner of A, acting in a second organisation. */
let elsewhere: ParleyClient;

let addresses = 0;
/** Each call comes from elsewhere, so that the limit per address stays out of the way. */
const anotherAddress = (): string => `198.51.${Math.floor((addresses += 1) / 250) % 250}.${addresses % 250}`;

type Answer = { readonly status: number; readonly problem: ProblemDetails | null };
const isChange = (route: RouteContract) => route.method !== 'GET';

async function call(
  client: ParleyClient,
  route: RouteContract,
  request: RowRequest,
  extra: { headers?: Record<string, string>; body?: string } = {},
): Promise<Answer> {
  const path = route.path.replaceAll(/:([A-Za-z]+)/g, (_match, name: string) => request.params?.[name] ?? name);
  const query = request.query ? `?${new URLSearchParams(request.query).toString()}` : '';
  const isRaw = route.rawBodyLimit !== undefined;
  const body =
    extra.body ??
    (request.body === undefined || typeof request.body === 'string' ? request.body : JSON.stringify(request.body));
  const response = await client.raw(route.method, path + query, {
    ...(body !== undefined && { body, contentType: isRaw ? 'application/octet-stream' : 'application/json' }),
    headers: { 'x-forwarded-for': anotherAddress(), ...extra.headers },
  });
  const isProblem = response.headers.get('content-type')?.startsWith('application/problem+json') ?? false;
  const text = await response.text();
  if (response.status >= 400 && !isProblem)
    throw new Error(`${route.method} ${path}: ${response.status} is not a problem: ${text.slice(0, 200)}`);
  return { status: response.status, problem: isProblem ? (JSON.parse(text) as ProblemDetails) : null };
}

/** Somebody whose sessions a row may end. */
async function somebodyElse(): Promise<ParleyClient> {
  return newPerson(running.url, { address: anotherAddress() });
}

const callerOf = (row: Row): Promise<ParleyClient> | ParleyClient => (row.endsSession ? somebodyElse() : world.owner);

beforeAll(async () => {
  running = await startTestParley({ PARLEY_OUTBOUND_ALLOW: '127.0.0.1:9', PARLEY_TRUSTED_PROXY: '127.0.0.1' });
  const setupToken = new URL(running.parley.setupUrl ?? '').searchParams.get('setup') ?? '';
  const owner = await newPerson(running.url, { organisation: 'Lindmoor Energy', setupToken });
  otherOwner = await newPerson(running.url, { organisation: 'Fennick Clinics' });
  guest = await newPerson(running.url);
  await plantMember(running.parley, guest, owner, 'guest');
  elsewhere = owner.copy();
  await elsewhere.createOrganisation('Second home');
  const { id: documentId } = await owner.upload('leave.md', '# Leave\n\nCarry over ends in March.');
  await eventually(async () => {
    const { items } = await owner.call('GET /api/chat/documents');
    expect(items[0]?.status).toBe('searchable');
  }, 'the document should be searchable');
  const conversationId = newId('conversation');
  await owner.send(conversationId, 'When does carry over end?');
  const messages = await eventually(async () => {
    const { items } = await owner.messages(conversationId);
    expect(items[1]?.generation?.status).toBe('done');
    return items;
  }, 'the answer should be there');
  const provider = await owner.call('POST /api/chat/providers', {
    body: {
      id: newId('provider'),
      name: 'P',
      baseUrl: 'http://127.0.0.1:9/v1',
      models: ['m'],
      defaultModel: 'm',
      isDefault: false,
    },
  });
  const chunkId = messages[1]?.citations[0]?.chunkId;
  if (!chunkId) throw new Error('the answer cites nothing');
  world = { owner, conversationId, messages, chunkId, documentId, provider };
  await owner.call('PATCH /api/chat/providers/:providerId', {
    params: { providerId: provider.id },
    body: { version: 1, isDefault: false },
  });
}, 90_000);
afterAll(() => running.close());

const publicRows = routeEntries.flatMap(([name, route]) => {
  const row = rows[name];
  return row === 'internal' ? [] : [[name, route, row] as const];
});

test('every route has a row, and only internal ones are left out', () => {
  for (const [name, route] of routeEntries)
    expect([name, rows[name] === 'internal']).toEqual([name, route.scope === 'internal']);
  expect(Object.keys(rows).length).toBe(Object.keys(allRoutes).length);
});

describe.each(publicRows)('%s', (name: RouteName, route, row) => {
  test('the owner may, and repeating does no harm', async () => {
    const request = await row.request(world);
    const client = await callerOf(row);
    const first = await call(client, route, request);
    const expected = name === 'acceptProviderOffer' ? 404 : (route.status ?? 200);
    expect([first.status, first.problem?.detail]).toEqual([
      expected,
      expected === 404 ? first.problem?.detail : undefined,
    ]);
    const second = await call(client, route, request);
    expect([expected, ...(row.repeated ?? [])]).toContain(second.status);
  });

  if (route.scope !== 'public') {
    test('nobody signed in: 401', async () => {
      const answer = await call(new ParleyClient(running.url), route, await row.request(world));
      expect([answer.status, answer.problem?.code]).toEqual([401, 'platform.unauthenticated']);
    });
  }

  if (route.scope === 'organisation') {
    test('the owner of another organisation is no member: 404', async () => {
      const intruder = otherOwner.copy();
      intruder.orgId = world.owner.orgId;
      const answer = await call(intruder, route, await row.request(world));
      expect([answer.status, answer.problem?.code]).toEqual([404, 'org.organisation-not-found']);
    });

    if (row.namesThings) {
      test('ids of another organisation are unknown inside the own one: 404', async () => {
        const answer = await call(otherOwner, route, await row.request(world));
        expect(answer.status).toBe(404);
      });

      test('and the own things stay in their organisation: 404 from the second one', async () => {
        const answer = await call(elsewhere, route, await row.request(world));
        expect(answer.status).toBe(404);
      });
    }

    if (route.permission && !hasPermission('guest', route.permission)) {
      test('a missing right is named: 403', async () => {
        const answer = await call(guest, route, await row.request(world));
        expect([answer.status, answer.problem?.code, answer.problem?.permission]).toEqual([
          403,
          'platform.forbidden',
          route.permission,
        ]);
      });
    }

    test('an organisation id that is none: 400', async () => {
      const answer = await call(world.owner, route, await row.request(world), { headers: { 'parley-org': 'org_1' } });
      expect(answer.status).toBe(400);
    });

    if (isChange(route)) {
      test('a change that names no organisation: 400', async () => {
        const client = world.owner.copy();
        client.orgId = null;
        const answer = await call(client, route, await row.request(world));
        expect([answer.status, answer.problem?.code]).toEqual([400, 'platform.organisation-missing']);
      });
    }
  }

  if (isChange(route)) {
    test.each<[string, Record<string, string>]>([
      ['another site', { 'sec-fetch-site': 'cross-site' }],
      ['a sibling site', { 'sec-fetch-site': 'same-site' }],
      ['a foreign origin', { origin: 'https://evil.example' }],
      ['an opaque origin', { origin: 'null' }],
    ])('from %s: 403', async (_site, headers) => {
      const answer = await call(world.owner, route, await row.request(world), { headers });
      expect([answer.status, answer.problem?.code]).toEqual([403, 'bff.cross-site']);
    });

    test('without the CSRF header: 403', async () => {
      const path = route.path.replaceAll(/:[A-Za-z]+/g, newId('message'));
      const response = await fetch(running.url + path, {
        method: route.method,
        headers: { 'content-type': 'application/json' },
      });
      expect(response.status).toBe(403);
      await response.text();
    });
  }

  if (route.body) {
    const badBodies = ['{', '[]', 'null', '"text"', '{}', '{"$where":"1"}'];
    test.each(badBodies)('a body of %s: 400', async (body) => {
      const answer = await call(world.owner, route, await row.request(world), { body });
      expect(answer.status).toBe(400);
    });

    test('an unknown property, and an operator in the place of a value: 400', async () => {
      const request = await row.request(world);
      const body = request.body as Record<string, unknown>;
      expect(
        (await call(world.owner, route, request, { body: JSON.stringify({ ...body, role: 'admin' }) })).status,
      ).toBe(400);
      for (const field of Object.keys(body)) {
        const answer = await call(world.owner, route, request, {
          body: JSON.stringify({ ...body, [field]: { $ne: null } }),
        });
        expect([field, answer.status]).toEqual([field, 400]);
      }
    });

    test('a body of more than 1 MB: 413', async () => {
      const answer = await call(world.owner, route, await row.request(world), {
        body: JSON.stringify({ filler: 'x'.repeat(1_100_000) }),
      });
      expect([answer.status, answer.problem?.code]).toEqual([413, 'platform.body-too-large']);
    });

    test('a form instead of JSON: 415', async () => {
      const answer = await call(world.owner, route, await row.request(world), {
        headers: { 'content-type': 'application/x-www-form-urlencoded' },
        body: 'a=1',
      });
      expect([answer.status, answer.problem?.code]).toEqual([415, 'platform.unsupported-media-type']);
    });
  } else if (isChange(route) && route.rawBodyLimit === undefined) {
    test('a body where none is expected: 400', async () => {
      const answer = await call(await callerOf(row), route, await row.request(world), { body: '{"a":1}' });
      expect(answer.status).toBe(400);
    });
  }

  test('an unknown query: 400', async () => {
    const request = await row.request(world);
    const answer = await call(await callerOf(row), route, { ...request, query: { ...request.query, 'a[$ne]': '1' } });
    expect(answer.status).toBe(400);
  });

  if (route.path.includes(':')) {
    test.each(['..', '%2e%2e', 'a%2fb', '__proto__', '1', '%00', 'x'.repeat(80)])(
      'an id of %s: refused',
      async (id) => {
        const request = await row.request(world);
        const params = Object.fromEntries(Object.keys(request.params ?? {}).map((key) => [key, id]));
        const answer = await call(world.owner, route, { ...request, params }).catch((error: unknown) => ({
          status: error instanceof TypeError ? 400 : 500,
        }));
        expect([400, 404, 405]).toContain(answer.status);
      },
    );
  }
});

describe('a file', () => {
  const path = () => `/api/chat/documents?id=${newId('document')}&name=`;
  test('of more than 25 MB: 413, and nothing is kept', async () => {
    const before = await world.owner.call('GET /api/chat/documents');
    const response = await world.owner.raw('POST', `${path()}big.txt`, {
      body: new Uint8Array(25_000_001),
      contentType: 'application/octet-stream',
    });
    expect(response.status).toBe(413);
    expect(await world.owner.call('GET /api/chat/documents')).toMatchObject({ counts: { all: before.counts.all } });
  });
  test.each([
    ['a.pdf', 415],
    ['a.exe', 415],
    ['noending', 415],
  ])('named %s: %i', async (name, status) => {
    expect(
      (await world.owner.raw('POST', path() + name, { body: 'text', contentType: 'application/octet-stream' })).status,
    ).toBe(status);
  });
  test('that is empty: 422', async () => {
    expect(
      (
        await world.owner.raw('POST', `${path()}a.txt`, {
          body: new Uint8Array(0),
          contentType: 'application/octet-stream',
        })
      ).status,
    ).toBe(422);
  });
  test.each(['application/json', 'multipart/form-data; boundary=x'])('sent as %s: 415', async (contentType) => {
    expect(
      (await world.owner.raw('POST', `${path()}a.txt`, { body: '{"path":"/etc/passwd"}', contentType })).status,
    ).toBe(415);
  });
});
