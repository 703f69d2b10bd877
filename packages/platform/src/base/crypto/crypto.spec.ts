import { beforeAll, describe, expect, jest, test } from '@jest/globals';
import type { PersonPrincipal } from '@parley/contracts';
import type { UserId } from '@parley/protocol';
import { importJWK, SignJWT, type JWK } from 'jose';
import { randomBytes } from 'node:crypto';
import { createKeyRing, publicKeysOf, type KeyRing } from './key-ring.ts';
import { Sealer } from './sealer.ts';
import { TokenSigner, TokenVerifier } from './tokens.ts';

const person: PersonPrincipal = {
  kind: 'person',
  userId: 'usr_01M7Z6X0BT7J6QPJC5FQE3HRSX' as UserId,
  name: 'P',
  locale: 'en',
  sessionKey: 's',
  platformRole: null,
  mayCreateOrganisations: false,
  organisation: null,
};

describe('internal tokens', () => {
  let ring: KeyRing;
  let chat: TokenVerifier;
  beforeAll(async () => {
    ring = await createKeyRing();
    chat = await TokenVerifier.create('chat', publicKeysOf(ring));
  });
  const signerOf = (name: 'bff' | 'org') => TokenSigner.create(name, ring.signing[name].private);
  const refused = (token: string) =>
    expect(chat.verify(token)).rejects.toMatchObject({ code: 'platform.unauthenticated' });
  const late = (token: string) => expect(chat.verify(token)).rejects.toMatchObject({ code: 'platform.unavailable' });
  /** Runs `act` with the wall clock set to this time. The monotonic clock isn't changed. */
  const at = async (time: number, act: () => Promise<unknown>): Promise<void> => {
    const others = ['nextTick', 'queueMicrotask', 'setImmediate', 'setInterval', 'setTimeout', 'performance'] as const;
    jest.useFakeTimers({ now: time, doNotFake: [...others] });
    await act().finally(() => jest.useRealTimers());
  };

  test('a token of the BFF for a person is valid for its audience only, on the first and the second use', async () => {
    const token = await (await signerOf('bff')).sign(person, 'chat');
    expect(await chat.verify(token)).toEqual(person);
    expect(await chat.verify(token)).toEqual(person);
    const billing = await TokenVerifier.create('billing', publicKeysOf(ring));
    await expect(billing.verify(token)).rejects.toMatchObject({ code: 'platform.unauthenticated' });
  });

  test('ignores fields of a person that a newer BFF adds', async () => {
    const token = await (await signerOf('bff')).sign({ ...person, isNew: true } as typeof person, 'chat');
    expect(await chat.verify(token)).toEqual(person);
  });

  test('a cached token still expires at its time', async () => {
    const token = await (await signerOf('bff')).sign(person, 'chat');
    expect(await chat.verify(token)).toEqual(person);
    await at(Date.now() + 61_000, () => late(token));
  });

  test.each([7_200_000, -7_200_000])('signs a new token after the clock jumps by %d ms', async (jumpMs) => {
    const org = await signerOf('org');
    const before = await org.signAsService('chat');
    expect(await org.signAsService('chat')).toBe(before);
    await at(Date.now() + jumpMs, async () => {
      const after = await org.signAsService('chat');
      expect(after).not.toBe(before);
      expect(await chat.verify(after)).toEqual({ kind: 'service', service: 'org' });
    });
  });

  test('only the BFF can sign for a person, and no service can sign as another one', async () => {
    const org = await signerOf('org');
    await refused(await org.sign(person, 'chat'));
    await refused(await org.sign({ kind: 'service', service: 'auth' }, 'chat'));
    expect(await chat.verify(await org.signAsService('chat'))).toEqual({ kind: 'service', service: 'org' });
  });

  test('refuses a changed, expired, unsigned or foreign internal token', async () => {
    const token = await (await signerOf('bff')).sign(person, 'chat');
    const [header, payload, signature] = token.split('.');
    const forged = Buffer.from(
      JSON.stringify({
        ...(JSON.parse(Buffer.from(payload ?? '', 'base64url').toString()) as object),
        who: { ...person, platformRole: 'admin' },
      }),
    ).toString('base64url');
    await refused(`${header}.${forged}.${signature}`);
    await refused(`${Buffer.from('{"alg":"none","typ":"parley+jwt","kid":"bff"}').toString('base64url')}.${payload}.`);
    await refused('nonsense');
    const key = await importJWK(ring.signing.bff.private as JWK, 'EdDSA');
    const make = (typ: string, expires: Date) =>
      new SignJWT({ who: person })
        .setProtectedHeader({ alg: 'EdDSA', typ, kid: 'bff' })
        .setIssuer('bff')
        .setAudience('chat')
        .setExpirationTime(expires)
        .sign(key);
    await late(await make('parley+jwt', new Date(Date.now() - 1_000)));
    await refused(await make('JWT', new Date(Date.now() + 10_000)));
    const other = await createKeyRing();
    await refused(await (await TokenSigner.create('bff', other.signing.bff.private)).sign(person, 'chat'));
  });
});

describe('Sealer', () => {
  const sealer = new Sealer(randomBytes(32));
  test('opens sealed text for the same tenant and purpose only', () => {
    const sealed = sealer.seal('sk-1', 'org_1', 'provider-key');
    expect(sealed).not.toContain('sk-1');
    expect(sealer.open(sealed, 'org_1', 'provider-key')).toBe('sk-1');
    expect(() => sealer.open(sealed, 'org_2', 'provider-key')).toThrow();
    expect(() => sealer.open(sealed, 'org_1', 'other')).toThrow();
    const changed = `${sealed.slice(0, -2)}${sealed.endsWith('AA') ? 'BB' : 'AA'}`;
    expect(() => sealer.open(changed, 'org_1', 'provider-key')).toThrow();
    expect(() => new Sealer(randomBytes(32)).open(sealed, 'org_1', 'provider-key')).toThrow();
  });
  test.each(['v1', 'v1.bm9uY2U', 'v1..c2VhbGVk', 'v1.bm9uY2U.', 'v2.bm9uY2U.c2VhbGVk'])(
    'refuses to open the malformed text %s',
    (text) => {
      expect(() => sealer.open(text, 'org_1', 'provider-key')).toThrow('Not a sealed text');
    },
  );
  test.each([31, 33])('refuses a sealing key of %i bytes', (bytes) => {
    expect(() => new Sealer(randomBytes(bytes))).toThrow('32 bytes');
  });
  test('seals the same text differently each time', () =>
    expect(sealer.seal('x', 't', 'p')).not.toBe(sealer.seal('x', 't', 'p')));
});

test('a fingerprint recognises a text only for its purpose and with its key', () => {
  const [one, other] = [new Sealer(Buffer.alloc(32, 1)), new Sealer(Buffer.alloc(32, 2))];
  const mark = one.fingerprint('ines@lindmoor.example', 'log');
  expect(mark).toMatch(/^[0-9a-f]{16}$/);
  expect(one.fingerprint('ines@lindmoor.example', 'log')).toBe(mark);
  expect(one.fingerprint('ines@lindmoor.example', 'list')).not.toBe(mark);
  expect(other.fingerprint('ines@lindmoor.example', 'log')).not.toBe(mark);
});
