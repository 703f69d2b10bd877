import { beforeEach, describe, expect, test } from '@jest/globals';
import { costClasses } from '@parley/contracts';
import { Counts } from '@parley/platform/counts';
import { newId } from '@parley/platform/ids';
import { MemoryKv } from '@parley/platform/kv';
import { csrfHeader, organisationHeader, Problem, type OrgId } from '@parley/protocol';
import type { Request } from 'express';
import type { BffSettings } from '../bff-settings.ts';
import { OwnSite } from '../session/own-site.ts';
import type { KeyPrincipals } from '../session/key-principals.ts';
import type { Principals } from '../session/principals.ts';
import { ApiGate } from './api-gate.ts';
import { RateLimits, rateTable } from './rate-limits.ts';

const sessionId = 's'.repeat(43);
const key = `plk_${'k'.repeat(43)}`;
/** Its owner is no member any more. */
const keyOfNobody = `plk_${'n'.repeat(43)}`;
const orgId: OrgId = newId('organisation');
let defaultOrgId: OrgId | null;
let isKvAway: boolean;
let acted: string[];
let confirmedAt: string;
/** The session has not been seen by this process, as after its start. */
let isNew: boolean;
let person: string;
let gate: ApiGate;
/** Counts the questions to auth and org. */
let asks: number;
const foreign: OrgId = newId('organisation');
const mostReads = 20;

class SometimesAway extends MemoryKv {
  override increment(...given: Parameters<MemoryKv['increment']>): Promise<number> {
    return isKvAway ? Promise.reject(new Error('away')) : super.increment(...given);
  }
}

beforeEach(() => {
  [defaultOrgId, isKvAway, acted, asks] = [null, false, [], 0];
  confirmedAt = new Date().toISOString();
  [isNew, person] = [false, 'me'];
  const kv = new SometimesAway();
  gate = new ApiGate({
    settings: { isInsecureHttp: true } as BffSettings,
    ownSite: new OwnSite({ publicUrl: null, isInsecureHttp: true, tls: null }),
    principals: {
      hasWorked: (id: string) => id === sessionId && !isNew,
      session: async (id: string | null) => {
        if (id !== sessionId) {
          asks += 1;
          throw new Problem('platform.unauthenticated');
        }
        return { me: { defaultOrgId, id: person }, confirmedAt };
      },
      principal: async (_session: unknown, of: OrgId | null) => {
        if (of === foreign) {
          asks += 1;
          throw new Problem('org.organisation-not-found');
        }
        return { of: of ?? 'no organisation', locale: 'en', userId: 'me', organisation: of && { orgId: of } };
      },
      token: async (principal: { of: string; locale: string }, audience: string) => {
        signedLocale = principal.locale;
        return `${principal.of} at ${audience}`;
      },
    } as unknown as Principals,
    keys: {
      holder: async (secret: string) => {
        if (secret !== key && secret !== keyOfNobody) throw new Problem('auth.api-key-invalid');
        return { userId: secret, apiKeyId: secret };
      },
      principalOf: async ({ userId: secret }: { userId: string }) => {
        if (secret === keyOfNobody) asks += 1;
        if (secret !== key) throw new Problem('auth.api-key-invalid');
        return { of: `${orgId} by key`, locale: 'en', organisation: { orgId } };
      },
    } as unknown as KeyPrincipals,
    presence: { act: (orgId, userId) => void acted.push(`${orgId}/${userId}`) },
    rates: new RateLimits(
      new Counts(kv),
      rateTable([
        { cost: 'read', owner: 'person', most: mostReads },
        { cost: 'read', owner: 'address', most: mostReads },
      ]),
    ),
  });
});

let signedLocale = '';
type Given = { readonly headers?: Record<string, string>; readonly ip?: string; readonly query?: object };
async function admit(
  route: string,
  { headers = {}, ip = '192.0.2.1', query = {} }: Given = {},
): Promise<string | null> {
  const [method, path] = route.split(' ') as [string, string];
  const request = { method, path, headers, ip, query, header: (name: string) => headers[name] };
  return gate.admit(request as unknown as Request).then(
    ({ token }) => token,
    ({ code }: { code: string }) => code,
  );
}
const cookie = `parley-session=${sessionId}`;
const ours = { cookie, [csrfHeader]: '1' };
const rename = 'PATCH /api/chat/conversations/cnv_1';
const list = 'GET /api/chat/conversations';

describe('a download of all own data', () => {
  const download = 'GET /api/chat/exports/exp_1/content';

  test('is a link, whose query names the organisation; elsewhere a query names none', async () => {
    expect(await admit(download, { headers: { cookie }, query: { org: orgId } })).toBe(`${orgId} at chat`);
    expect(await admit(download, { headers: { cookie }, query: { org: 'acme' } })).toBe('platform.invalid-request');
    expect(await admit(list, { headers: { cookie }, query: { org: orgId } })).toBe('platform.organisation-missing');
  });

  test('needs a password that was entered in the last ten minutes', async () => {
    confirmedAt = new Date(Date.now() - 10 * 60_000).toISOString();
    const query = { org: orgId };
    expect(await admit(download, { headers: { cookie }, query })).toBe('auth.sign-in-again');
    expect(await admit(list, { headers: { cookie, [organisationHeader]: orgId } })).toBe(`${orgId} at chat`);
  });

  test('is for people only', async () => {
    const headers = { authorization: `Bearer ${key}` };
    expect(await admit(download, { headers })).toBe('bff.not-by-key');
    expect(await admit('GET /api/chat/exports', { headers })).toBe('bff.not-by-key');
  });
});

describe('a request', () => {
  test('of the public needs nobody, and goes without a token', async () => {
    expect(await admit('GET /api/auth/registration')).toBeNull();
  });

  test('of a person needs a session, whatever it says beside it', async () => {
    expect(await admit('GET /api/auth/me', { headers: { cookie } })).toBe('no organisation at auth');
    expect(await admit('GET /api/auth/me')).toBe('platform.unauthenticated');
    const other = { cookie: `parley-session=${'t'.repeat(43)}` };
    expect(await admit('GET /api/auth/me', { headers: other })).toBe('platform.unauthenticated');
  });

  test('goes in the language of the page that names it, else in that of the account', async () => {
    for (const [named, expected] of [
      ['ar', 'ar'],
      ['ar-EG,ar;q=0.9', 'en'],
      ['tlh', 'en'],
    ] as const) {
      await admit('GET /api/auth/me', { headers: { cookie, 'accept-language': named } });
      expect(signedLocale).toBe(expected);
    }
  });

  test('within an organisation goes as a member of the one that the tab names', async () => {
    defaultOrgId = newId('organisation');
    const headers = { cookie, [organisationHeader]: orgId };
    expect(await admit(list, { headers })).toBe(`${orgId} at chat`);
    expect(await admit(list, { headers: { ...headers, [organisationHeader]: 'none' } })).toBe(
      'platform.invalid-request',
    );
  });

  test('that names no organisation reads that of the session, and changes nothing', async () => {
    expect(await admit(list, { headers: { cookie } })).toBe('platform.organisation-missing');
    defaultOrgId = orgId;
    expect(await admit(list, { headers: { cookie } })).toBe(`${orgId} at chat`);
    expect(await admit(rename, { headers: ours })).toBe('platform.organisation-missing');
  });

  test('that changes something comes from our own pages', async () => {
    const headers = { ...ours, [organisationHeader]: orgId };
    expect(await admit(rename, { headers })).toBe(`${orgId} at chat`);
    expect(await admit(rename, { headers: { cookie, [organisationHeader]: orgId } })).toBe('bff.cross-site');
    expect(await admit('POST /api/auth/sessions', { headers: {} })).toBe('bff.cross-site');
  });
});

describe('an API key', () => {
  const authorization = `Bearer ${key}`;

  test('needs neither cookie nor header of CSRF or organisation', async () => {
    for (const route of [list, rename])
      expect(await admit(route, { headers: { authorization } })).toBe(`${orgId} by key at chat`);
    expect(await admit(list, { headers: { authorization: `bearer ${key}` } })).toBe(`${orgId} by key at chat`);
  });

  test('counts alone: no cookie beside it does', async () => {
    expect(await admit(list, { headers: { ...ours, authorization } })).toBe(`${orgId} by key at chat`);
    const wrong = { ...ours, [organisationHeader]: orgId, authorization: 'Bearer plk_wrong' };
    expect(await admit(list, { headers: wrong })).toBe('auth.api-key-invalid');
  });

  test('stays in its organisation', async () => {
    expect(await admit(list, { headers: { authorization, [organisationHeader]: orgId } })).toBe(
      `${orgId} by key at chat`,
    );
    const elsewhere = { authorization, [organisationHeader]: newId('organisation') };
    expect(await admit(list, { headers: elsewhere })).toBe('platform.invalid-request');
  });

  test.each([
    'GET /api/auth/me',
    'POST /api/auth/password',
    'POST /api/auth/sessions',
    'GET /api/auth/mails',
    'POST /api/auth/my-api-keys',
    'DELETE /api/org/organisations/org_1/membership',
  ])('is not for %s', async (route) => {
    expect(await admit(route, { headers: { authorization } })).toBe('bff.not-by-key');
    expect(await admit(route, { headers: { ...ours, authorization: 'Bearer x' } })).toBe('auth.api-key-invalid');
  });

  test.each(['Basic eDp5', 'Bearer', 'Bearer a b', key])('is nothing that looks like %s', async (shown) => {
    expect(await admit(rename, { headers: { authorization: shown } })).toBe('bff.cross-site');
    const headers = { ...ours, authorization: shown, [organisationHeader]: orgId };
    expect(await admit(rename, { headers })).toBe(`${orgId} at chat`);
  });
});

test('what changes something is an action of its person; what reads is none, nor what was refused', async () => {
  const headers = { ...ours, [organisationHeader]: orgId };
  await admit(list, { headers });
  await admit('PATCH /api/auth/me', { headers });
  await admit(rename, { headers: { cookie, [organisationHeader]: orgId } });
  expect(acted).toEqual([]);
  await admit(rename, { headers });
  expect(acted).toEqual([`${orgId}/me`]);
});

describe('a request that opens nothing', () => {
  const many = Array.from({ length: mostReads + 5 }, (_, n) => n);

  test('counts for its caller before org is asked, also in an organisation of somebody else', async () => {
    const headers = { cookie, [organisationHeader]: foreign };
    for (const _each of many.slice(5)) expect(await admit(list, { headers })).toBe('org.organisation-not-found');
    for (const _each of many) expect(await admit(list, { headers })).toBe('platform.rate-limited');
    expect(asks).toBe(mostReads);
  });

  test('with an unknown session cookie counts for its address before auth is asked', async () => {
    const headers = (n: number) => ({ cookie: `parley-session=${String(n).padStart(43, 'w')}` });
    for (const n of many.slice(5)) expect(await admit(list, { headers: headers(n) })).toBe('platform.unauthenticated');
    for (const n of many) expect(await admit(list, { headers: headers(n) })).toBe('platform.rate-limited');
    // Auth was asked about the first one above the limit, too.
    expect(asks).toBe(mostReads + 1);
    // A session that worked before isn't limited by the requests of its address.
    expect(await admit('GET /api/auth/me', { headers: { cookie } })).toBe('no organisation at auth');
  });

  test('with a session that is new to this process counts for no address', async () => {
    isNew = true;
    for (const n of many) {
      person = `person ${n}`;
      expect(await admit('GET /api/auth/me', { headers: { cookie } })).toBe('no organisation at auth');
    }
  });

  test('by an API key counts for its owner before org is asked', async () => {
    const headers = { authorization: `Bearer ${keyOfNobody}` };
    for (const _each of many.slice(5)) expect(await admit(list, { headers })).toBe('auth.api-key-invalid');
    expect(await admit(list, { headers })).toBe('platform.rate-limited');
    expect(asks).toBe(mostReads);
  });
});

describe('tries of an address', () => {
  const signIn = (ip: string) => admit('POST /api/auth/sessions', { headers: { [csrfHeader]: '1' }, ip });
  const register = (ip: string) => admit('POST /api/auth/users', { headers: { [csrfHeader]: '1' }, ip });

  const { address: most } = costClasses.secret;

  test('to sign in refuse neither other sign-ins there nor links', async () => {
    for (let tries = 0; tries < 10 * most; tries += 1) expect(await signIn('192.0.2.7')).toBeNull();
    expect(await register('192.0.2.7')).toBeNull();
  });

  test('are limited per minute and address; an IPv6 network counts as one address', async () => {
    for (let tries = 0; tries < most; tries += 1) expect(await register('192.0.2.7')).toBeNull();
    expect(await register('192.0.2.7')).toBe('platform.rate-limited');
    expect(await register('192.0.2.8')).toBeNull();
    for (let tries = 0; tries < most; tries += 1) expect(await register(`2001:db8::${tries.toString(16)}`)).toBeNull();
    expect(await register('2001:db8::ffff')).toBe('platform.rate-limited');
  });

  test('are counted by this process while the shared counts are away', async () => {
    isKvAway = true;
    for (let tries = 0; tries < most; tries += 1) expect(await register('192.0.2.7')).toBeNull();
    expect(await register('192.0.2.7')).toBe('platform.rate-limited');
  });
});
