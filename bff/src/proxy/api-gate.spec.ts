import { beforeEach, describe, expect, test } from '@jest/globals';
import { csrfHeader, organisationHeader, Problem, type OrgId } from '@parley/contracts';
import { newId } from '@parley/platform/ids';
import { MemoryKv } from '@parley/platform/kv';
import type { Platform } from '@parley/platform/service';
import type { Request } from 'express';
import type { BffSettings } from '../bff-settings.ts';
import { OwnSite } from '../session/own-site.ts';
import type { Principals } from '../session/principals.ts';
import { ApiGate } from './api-gate.ts';

const sessionId = 's'.repeat(43);
const orgId: OrgId = newId('organisation');
let defaultOrgId: OrgId | null;
let isKvAway: boolean;
let gate: ApiGate;

class SometimesAway extends MemoryKv {
  override increment(...given: Parameters<MemoryKv['increment']>): Promise<number> {
    return isKvAway ? Promise.reject(new Error('away')) : super.increment(...given);
  }
}

beforeEach(() => {
  [defaultOrgId, isKvAway] = [null, false];
  gate = new ApiGate({
    platform: { kv: new SometimesAway() } as unknown as Platform,
    settings: { isInsecureHttp: true } as BffSettings,
    ownSite: new OwnSite({ publicUrl: null, isInsecureHttp: true, tls: null }),
    principals: {
      session: async (id: string | null) => {
        if (id !== sessionId) throw new Problem('platform.unauthenticated');
        return { me: { defaultOrgId } };
      },
      principal: async (_session: unknown, of: OrgId | null) => ({ of: of ?? 'no organisation', locale: 'en' }),
      token: async (principal: { of: string; locale: string }, audience: string) => {
        signedLocale = principal.locale;
        return `${principal.of} at ${audience}`;
      },
    } as unknown as Principals,
  });
});

let signedLocale = '';
type Given = { readonly headers?: Record<string, string>; readonly ip?: string };
async function admit(route: string, { headers = {}, ip = '192.0.2.1' }: Given = {}): Promise<string | null> {
  const [method, path] = route.split(' ') as [string, string];
  const request = { method, path, headers, ip, header: (name: string) => headers[name] };
  return gate.admit(request as unknown as Request).then(
    ({ token }) => token,
    ({ code }: { code: string }) => code,
  );
}
const cookie = `parley-session=${sessionId}`;
const ours = { cookie, [csrfHeader]: '1' };
const rename = 'PATCH /api/chat/conversations/cnv_1';
const list = 'GET /api/chat/conversations';

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

describe('tries of an address', () => {
  const signIn = (ip: string) => admit('POST /api/auth/sessions', { headers: { [csrfHeader]: '1' }, ip });

  test('are ten a minute; another address has its own', async () => {
    for (let tries = 0; tries < 10; tries += 1) expect(await signIn('192.0.2.7')).toBeNull();
    expect(await signIn('192.0.2.7')).toBe('platform.rate-limited');
    expect(await signIn('192.0.2.8')).toBeNull();
  });

  test('are not counted while counting does not work', async () => {
    isKvAway = true;
    for (let tries = 0; tries < 12; tries += 1) expect(await signIn('192.0.2.7')).toBeNull();
  });
});
