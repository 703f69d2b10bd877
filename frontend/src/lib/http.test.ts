import { afterEach, beforeEach, describe, expect, it } from '@jest/globals';
import type { OrgId } from '@parley/contracts';
import { NetworkError, ProblemError, pathOf, request } from './http.ts';

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

describe('request', () => {
  it('sends the tab organisation always and the CSRF header with mutations only', async () => {
    answers = [() => answer(200, '{"a":1}'), () => answer(201, '{}')];
    expect(await request('/api/chat/models', { orgId, query: { q: 'x y', empty: undefined } })).toEqual({ a: 1 });
    await request('/api/chat/providers', { method: 'POST', orgId, body: { a: 1 } });
    expect(calls[0]?.url).toBe('/api/chat/models?q=x+y');
    expect(calls[0]?.init.headers).toEqual({ accept: 'application/json', 'parley-org': orgId });
    expect(calls[1]?.init.headers).toMatchObject({
      'parley-csrf': '1',
      'parley-org': orgId,
      'content-type': 'application/json',
    });
  });

  it('turns problems into typed errors', async () => {
    answers = [
      () => answer(409, JSON.stringify({ type: 'x', title: 'y', status: 409, code: 'chat.generation-running' })),
    ];
    const error = await request('/api/chat/models', { orgId }).catch((reason: unknown) => reason);
    expect(error).toBeInstanceOf(ProblemError);
    expect((error as ProblemError).code).toBe('chat.generation-running');
  });

  it('understands an answer that is not from Parley, with Retry-After', async () => {
    answers = [() => answer(429, '<html>slow down</html>', { 'retry-after': '7' })];
    const error = (await request('/api/chat/models').catch((reason: unknown) => reason)) as ProblemError;
    expect(error.code).toBe('platform.rate-limited');
    expect(error.problem.retryAfterSeconds).toBe(7);
  });

  it('repeats reads after a network failure, never writes', async () => {
    answers = [() => Promise.reject(new TypeError('x')), () => answer(200, '{"ok":true}')];
    expect(await request('/api/chat/models')).toEqual({ ok: true });
    answers = [];
    calls.length = 0;
    await expect(request('/api/chat/providers', { method: 'POST', body: {} })).rejects.toBeInstanceOf(NetworkError);
    expect(calls).toHaveLength(1);
  });

  it('gives nothing for 204', async () => {
    answers = [() => answer(204, '')];
    expect(await request('/api/auth/sessions/current', { method: 'DELETE' })).toBeUndefined();
  });
});

it('fills path parameters', () => {
  expect(pathOf('/api/chat/conversations/:conversationId/messages', { conversationId: 'cnv_1' })).toBe(
    '/api/chat/conversations/cnv_1/messages',
  );
});

it('repeats a read that met a starting service', async () => {
  answers = [() => answer(503, JSON.stringify({ code: 'bff.upstream-unavailable' })), () => answer(200, '{"ok":true}')];
  expect(await request('/api/chat/models')).toEqual({ ok: true });
});
