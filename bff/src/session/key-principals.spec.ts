import { beforeEach, describe, expect, test } from '@jest/globals';
import { findApiKeys, getMembership, type Permission, type resolveApiKey, type Revocation } from '@parley/contracts';
import { Counts } from '@parley/platform/counts';
import { hashSecret } from '@parley/platform/crypto';
import { newId } from '@parley/platform/ids';
import { MemoryKv } from '@parley/platform/kv';
import type { Platform } from '@parley/platform/service';
import { Problem, type ResponseOf } from '@parley/protocol';
import { KeyPrincipals } from './key-principals.ts';
import { Principals } from './principals.ts';

const secret = `plk_${'k'.repeat(43)}`;
const address = '192.0.2.17';
const [apiKeyId, orgId, userId] = [newId('apiKey'), newId('organisation'), newId('user')];
const works = (): ResponseOf<typeof resolveApiKey> => ({
  apiKeyId,
  orgId,
  userId,
  name: 'Ines',
  locale: 'en',
  permissions: ['chat:read', 'chat:create', 'audit:read', 'apikey:manage_org'],
  createdAt: '2026-11-21T10:00:00.000Z',
  endsAt: new Date(Date.now() + 60_000).toISOString(),
});
let holder: ReturnType<typeof works> | null;
let rights: Permission[] | null;
let asked: unknown[];
/** The spec's clock, which only ever moves as the spec says. */
let now: number;
let revoke: (revocation: Partial<Revocation>) => void;
let refusal: Problem | null;
let accessEnd: { at: string; reason: string } | null;
let keys: KeyPrincipals;

/** Auth and org as this process reaches them. */
const call = async (route: object, { body }: { body?: { secret: string; hashes?: string[] } }) => {
  if (route === findApiKeys) {
    asked.push(body);
    return { found: body!.hashes!.filter((hash) => hash === hashSecret(secret)) };
  }
  if (route === getMembership) {
    if (!rights) throw new Problem('org.organisation-not-found');
    return { orgId, userId, permissions: rights, rightsVersion: 1, accessEnd };
  }
  asked.push(body);
  if (!holder || body?.secret !== secret) throw new Problem('platform.not-found', { detail: 'It was revoked.' });
  return holder;
};

beforeEach(() => {
  accessEnd = null;
  now = Date.now();
  [holder, rights, asked, refusal] = [works(), ['chat:read', 'chat:delete', 'apikey:manage_org'], [], null];
  const listeners: (typeof revoke)[] = [];
  revoke = (revocation) => listeners.forEach((listener) => listener(revocation));
  const platform = {
    peers: { call },
    revocations: {
      onRevoked: (listener: typeof revoke) => void listeners.push(listener),
      check: async () => {
        if (refusal) throw refusal;
      },
    },
  } as unknown as Platform;
  const counts = new Counts(new MemoryKv(), () => now);
  keys = new KeyPrincipals({ platform, principals: new Principals(platform), counts }, () => now);
});
const principal = async (shown: string, from: string) => keys.principalOf(await keys.holder(shown, from));
const invalid = { code: 'auth.api-key-invalid' };

test('is its owner in its organisation, with what both may, and without what no key may', async () => {
  expect(await principal(secret, address)).toEqual({
    kind: 'person',
    userId,
    name: 'Ines',
    locale: 'en',
    sessionKey: apiKeyId,
    platformRole: null,
    mayCreateOrganisations: false,
    organisation: { orgId, permissions: ['chat:read'], rightsVersion: 1 },
  });
});

test('is asked for once, with the network it comes from, and again after anything was revoked', async () => {
  for (const _ of [1, 2]) await principal(secret, address);
  expect(asked).toEqual([{ hashes: [hashSecret(secret)] }, { secret, network: '192.0.2.0/24' }]);
  holder = null;
  revoke({ kind: 'session' });
  await expect(principal(secret, address)).rejects.toMatchObject({ ...invalid, extras: { detail: 'It was revoked.' } });
});

test('does not outlive its end, however well it is known', async () => {
  await principal(secret, address);
  holder!.endsAt = new Date(now - 1).toISOString();
  await expect(principal(secret, address)).rejects.toMatchObject({ extras: { detail: 'It has expired.' } });
  expect(asked).toHaveLength(2);
});

test('of somebody who is no member is none', async () => {
  rights = null;
  await expect(principal(secret, address)).rejects.toMatchObject(invalid);
});

test('that was revoked while it was being asked for is none; of which nobody can tell is no answer', async () => {
  refusal = new Problem('platform.unauthenticated');
  await expect(principal(secret, address)).rejects.toMatchObject(invalid);
  refusal = new Problem('platform.unavailable');
  await expect(principal(secret, address)).rejects.toMatchObject({ code: 'platform.unavailable' });
});

describe('keys that do not work', () => {
  const wrong = (n: number) => `plk_${String(n).padStart(43, 'w')}`;
  const codeOf = (key: string, from = address) =>
    principal(key, from).then(
      () => 'ok',
      ({ code }: Problem) => code,
    );
  const sendWrong = async (times: number, from = address) => {
    const codes = [];
    for (let n = 0; n < times; n += 1) codes.push(await codeOf(wrong(n), from));
    return codes;
  };

  test('a good key that is new is let through after ten and more, and only the wrong ones are refused', async () => {
    const codes = await sendWrong(12);
    expect(codes.slice(0, 10)).toEqual(Array.from({ length: 10 }, () => 'auth.api-key-invalid'));
    expect(codes.slice(10)).toEqual(['platform.rate-limited', 'platform.rate-limited']);
    expect(await codeOf(secret)).toBe('ok');
  });

  test('one key that is sent again and again counts once, and is asked for once a minute', async () => {
    for (let n = 0; n < 30; n += 1) expect(await codeOf(wrong(0))).toBe('auth.api-key-invalid');
    expect(asked).toHaveLength(1);
    expect(await codeOf(wrong(1))).toBe('auth.api-key-invalid');
    now += 60_001;
    expect(await codeOf(wrong(0))).toBe('auth.api-key-invalid');
    expect(asked).toHaveLength(3);
  });

  test('another address is not refused; the networks of IPv6 are one address', async () => {
    await sendWrong(11);
    expect(await codeOf(wrong(20), '198.51.100.1')).toBe('auth.api-key-invalid');
    await sendWrong(11, '2001:db8::1');
    expect(await codeOf(wrong(20), '2001:db8::2')).toBe('platform.rate-limited');
  });

  test('a good key that is new is found before any number of wrong ones that wait', async () => {
    await sendWrong(11);
    asked = [];
    const waiting = Array.from({ length: 2_000 }, (_, n) => codeOf(wrong(100 + n)));
    expect(await codeOf(secret)).toBe('ok');
    expect(new Set(await Promise.all(waiting))).toEqual(new Set(['platform.rate-limited']));
    // Many are asked for together, and only the good one by itself.
    expect(asked.length).toBeLessThan(10);
  });

  test('a key that has worked waits for none', async () => {
    await principal(secret, address);
    await sendWrong(11);
    const waiting = Array.from({ length: 150 }, (_, n) => codeOf(wrong(100 + n)));
    // Its holder is asked for again, ahead of them.
    revoke({ kind: 'session' });
    expect(await codeOf(secret)).toBe('ok');
    await Promise.all(waiting);
  });
});

test('that does not begin as keys do is asked of nobody', async () => {
  await expect(principal('eyJhbGciOi', address)).rejects.toMatchObject(invalid);
  expect(asked).toEqual([]);
});

test('of somebody whose access was ended since it was made opens nothing', async () => {
  accessEnd = { at: '2026-11-21T10:00:01.000Z', reason: 'A lost laptop' };
  await expect(principal(secret, address)).rejects.toMatchObject({ code: 'auth.api-key-invalid' });
  holder = { ...works(), createdAt: '2026-11-21T10:00:02.000Z' };
  revoke({});
  expect((await principal(secret, address)).organisation.orgId).toBe(orgId);
});
