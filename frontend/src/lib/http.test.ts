import { afterEach, beforeEach, describe, expect, it } from '@jest/globals';
import type { DocumentId } from '@parley/contracts';
import type { OrgId } from '@parley/protocol';
import { NetworkError, ProblemError, api } from './http.ts';

type Call = { url: string; init: RequestInit };
const calls: Call[] = [];
let answers: (() => Response | Promise<Response>)[] = [];
const realFetch = globalThis.fetch;

/** jsdom has no Response; only what the client reads. */
function answer(status: number, body: string, headers: Record<string, string> = {}): Response {
  return {
    status,
    ok: status < 400,
    text: async () => body,
    headers: { get: (name: string) => headers[name] ?? null },
  } as unknown as Response;
}

beforeEach(() => {
  calls.length = 0;
  globalThis.fetch = (async (url: string, init: RequestInit) => {
    calls.push({ url, init });
    const next = answers.shift();
    if (!next) throw new TypeError('Failed to fetch');
    return next();
  }) as typeof fetch;
});
afterEach(() => {
  globalThis.fetch = realFetch;
});

const orgId = 'org_00000000000000000000000001' as OrgId;

describe('api', () => {
  it('sends the tab organisation always and the CSRF header with mutations only', async () => {
    answers = [() => answer(200, '{"a":1}'), () => answer(201, '{}')];
    expect(await api('GET /api/chat/search', { orgId, query: { q: 'x y', cursor: undefined } })).toEqual({ a: 1 });
    await api('POST /api/chat/providers/test', { orgId, body: { baseUrl: 'https://models.example' } });
    expect(calls[0]?.url).toBe('/api/chat/search?q=x+y');
    expect(calls[0]?.init.headers).toEqual({ accept: 'application/json', 'parley-org': orgId });
    expect(calls[1]?.init.headers).toMatchObject({
      'accept-language': document.documentElement.lang,
      'parley-csrf': '1',
      'parley-org': orgId,
      'content-type': 'application/json',
    });
  });

  it('turns problems into typed errors', async () => {
    answers = [
      () => answer(409, JSON.stringify({ type: 'x', title: 'y', status: 409, code: 'chat.generation-running' })),
    ];
    const error = await api('GET /api/chat/models', { orgId }).catch((reason: unknown) => reason);
    expect(error).toBeInstanceOf(ProblemError);
    expect((error as ProblemError).code).toBe('chat.generation-running');
  });

  it('asks once where a quota is full: only a deletion makes room', async () => {
    const full = JSON.stringify({ type: 'x', title: 'y', status: 409, code: 'org.limit-reached' });
    answers = [() => answer(409, full), () => answer(201, '{}')];
    const body = { id: 'grp_00000000000000000000000001', name: 'Night shift' } as never;
    const asked = api('POST /api/org/groups', { orgId, body, retries: 2 });
    await expect(asked).rejects.toMatchObject({ code: 'org.limit-reached' });
    expect(calls).toHaveLength(1);
  });

  it('understands an answer that is not from Parley, with Retry-After', async () => {
    answers = [() => answer(429, '<html>slow down</html>', { 'retry-after': '7' })];
    const error = (await api('GET /api/auth/me').catch((reason: unknown) => reason)) as ProblemError;
    expect(error.code).toBe('platform.rate-limited');
    expect(error.problem.retryAfterSeconds).toBe(7);
  });

  it('repeats reads after a network failure, never writes', async () => {
    answers = [() => Promise.reject(new TypeError('x')), () => answer(200, '{"ok":true}')];
    expect(await api('GET /api/auth/me')).toEqual({ ok: true });
    answers = [];
    calls.length = 0;
    await expect(api('PATCH /api/auth/me', { body: { version: 1 } })).rejects.toBeInstanceOf(NetworkError);
    expect(calls).toHaveLength(1);
  });

  it('gives nothing for 204', async () => {
    answers = [() => answer(204, '')];
    expect(await api('DELETE /api/auth/sessions/current')).toBeUndefined();
  });
});

it('fills path parameters', async () => {
  answers = [() => answer(204, '')];
  await api('DELETE /api/chat/documents/:documentId', { orgId, params: { documentId: 'doc_1/..' as DocumentId } });
  expect(calls[0]?.url).toBe('/api/chat/documents/doc_1%2F..');
});

it('repeats a read that met a starting service', async () => {
  answers = [() => answer(503, JSON.stringify({ code: 'bff.upstream-unavailable' })), () => answer(200, '{"ok":true}')];
  expect(await api('GET /api/auth/me')).toEqual({ ok: true });
});

/** Checked by the compiler only: each of these calls must not compile. */
export const callsThatDoNotCompile = () => [
  // @ts-expect-error -- there is no such path
  api('GET /api/chat/dokuments', { orgId }),
  // @ts-expect-error -- the path has another method
  api('PUT /api/auth/me', { body: { version: 1 } }),
  // @ts-expect-error -- the route belongs to an organisation, and none is named
  api('GET /api/chat/documents'),
  // @ts-expect-error -- the route belongs to the person: no organisation has a say in it
  api('GET /api/auth/me', { orgId }),
  // @ts-expect-error -- the body lacks its version
  api('PATCH /api/auth/me', { body: { name: 'Ines' } }),
  // @ts-expect-error -- the body has a field that the contract does not know
  api('PATCH /api/auth/me', { body: { version: 1, age: 5 } }),
  // @ts-expect-error -- the query has a value that nobody offers
  api('GET /api/chat/documents', { orgId, query: { status: 'lost' } }),
  // @ts-expect-error -- the parameter of the path is missing
  api('DELETE /api/chat/documents/:documentId', { orgId }),
  // @ts-expect-error -- a file is sent by `upload`
  api('POST /api/chat/documents', { orgId, query: { id: 'doc_1' as DocumentId, name: 'a.md' } }),
  // @ts-expect-error -- the answer has no such field
  api('GET /api/auth/me').then((me) => me.password),
];
