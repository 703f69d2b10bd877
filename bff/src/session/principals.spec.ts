import { beforeEach, describe, expect, test } from '@jest/globals';
import { getMembership, type PersonPrincipal, type Revocation } from '@parley/contracts';
import { hashSecret } from '@parley/platform/crypto';
import { newId } from '@parley/platform/ids';
import type { Platform } from '@parley/platform/service';
import { Problem, type OrgId } from '@parley/protocol';
import { Principals } from './principals.ts';

const person = (name = 'Ada') => ({
  id: newId('user'),
  email: 'ada@example.com',
  name,
  locale: 'en',
  timeZone: null,
  platformRole: null,
  mayCreateOrganisations: false,
  defaultOrgId: null,
  version: 1,
});

let sessions: Map<string, ReturnType<typeof person>>;
let members: Map<string, { rightsVersion: number; groupIds?: string[]; accessEnd?: { at: string; reason: string } }>;
/** Called once while org answers, after it has looked. */
let meanwhile: (() => void) | null;
let asked: string[];
let signed: PersonPrincipal[];
let outage: Error | null;
let revoke: (revocation: Partial<Revocation>) => void;
let ends: Map<string, string>;
let expired: Set<string>;
/** When the password was last entered in each session. */
let confirmedAt: string | null;
let refusal: Problem | null;
/** Rights of an earlier version are void. */
let outdated = 0;
let principals: Principals;

/** Auth and org as this process reaches them. */
const call = async (route: { path: string }, { params, body }: { params?: Record<string, string>; body?: unknown }) => {
  asked.push(route.path);
  if (outage) throw outage;
  if (route === getMembership) {
    const found = members.get(`${params!['orgId']}/${params!['userId']}`);
    if (!found) throw new Problem('org.organisation-not-found');
    const change = meanwhile;
    meanwhile = null;
    confirmedAt = null;
    change?.();
    return { ...params, permissions: ['chat:read'], accessEnd: null, ...found };
  }
  const { sessionId } = body as { sessionId: string };
  const me = sessions.get(sessionId);
  if (!me) throw new Problem('platform.not-found', expired.has(sessionId) ? { sessionEnd: 'expired' } : {});
  const session = { me, sessionKey: `key of ${sessionId}`, signedInAt: '2026-11-20T10:00:00.000Z' };
  return { ...session, ...(confirmedAt !== null && { confirmedAt }) };
};

beforeEach(() => {
  [sessions, members, asked, signed, outage, refusal] = [new Map(), new Map(), [], [], null, null];
  outdated = 0;
  meanwhile = null;
  [ends, expired] = [new Map(), new Set()];
  principals = new Principals({
    peers: { call },
    signer: { sign: async (who: PersonPrincipal, audience: string) => `token ${signed.push(who)} for ${audience}` },
    revocations: {
      onRevoked: (listener: typeof revoke) => (revoke = listener),
      endOf: (key: string) => ends.get(key) ?? null,
      check: async ({ organisation }: PersonPrincipal) => {
        if (refusal) throw refusal;
        if (organisation && organisation.rightsVersion < outdated) throw new Problem('platform.rights-changed');
      },
    },
  } as unknown as Platform);
});

const nobody = { code: 'platform.unauthenticated' };

describe('a session', () => {
  test('is asked for once, and again after anything was revoked', async () => {
    sessions.set('one', person());
    for (const _ of [1, 2]) expect(await principals.session('one')).toMatchObject({ sessionKey: 'key of one' });
    expect(asked).toHaveLength(1);
    sessions.delete('one');
    revoke({ kind: 'session' });
    await expect(principals.session('one')).rejects.toMatchObject(nobody);
  });

  test('that nobody has is nobody, now and not for later', async () => {
    for (const id of ['one', null]) await expect(principals.session(id)).rejects.toMatchObject(nobody);
    sessions.set('one', person());
    expect(await principals.session('one')).toMatchObject({ sessionKey: 'key of one' });
  });

  test('that is over says how it ended, where that is known', async () => {
    ends.set(hashSecret('one'), 'signed-out-everywhere');
    expired.add('two');
    const told = ['one', 'two', 'three'].map((id) => principals.session(id).catch((error: Problem) => error.extras));
    expect(await Promise.all(told)).toEqual([{ sessionEnd: 'signed-out-everywhere' }, { sessionEnd: 'expired' }, {}]);
  });

  test('is asked for again for what is sensitive, unless its password was entered in the last ten minutes', async () => {
    sessions.set('one', person());
    const sensitive = () => principals.session('one', { isSensitive: true });
    expect(await principals.session('one')).toMatchObject({ confirmedAt: '2026-11-20T10:00:00.000Z' });
    expect(await sensitive()).toMatchObject({ confirmedAt: '2026-11-20T10:00:00.000Z' });
    expect(asked).toHaveLength(2);
    confirmedAt = new Date(Date.now() - 9 * 60_000).toISOString();
    expect(await sensitive()).toMatchObject({ confirmedAt });
    expect(await sensitive()).toMatchObject({ confirmedAt });
    expect(asked).toHaveLength(3);
    const session = await sensitive();
    expect(await principals.principal(session, null)).toMatchObject({ confirmedAt });
  });

  test('that cannot be asked for is no answer about it', async () => {
    outage = new Problem('platform.unavailable');
    await expect(principals.session('one')).rejects.toMatchObject({ code: 'platform.unavailable' });
  });
});

describe('a principal', () => {
  const orgId: OrgId = newId('organisation');
  const signIn = async (name?: string) => {
    const me = person(name);
    sessions.set(me.id, me);
    members.set(`${orgId}/${me.id}`, { rightsVersion: 1 });
    return principals.session(me.id);
  };

  test('is none where the access was ended since the sign-in; elsewhere the session goes on', async () => {
    const session = await signIn();
    const elsewhere = newId('organisation');
    members.set(`${elsewhere}/${session.me.id}`, { rightsVersion: 1 });
    for (const [at, code] of [
      ['2026-11-20T09:59:59.999Z', undefined],
      ['2026-11-20T10:00:00.000Z', 'org.access-ended'],
      ['2026-11-20T10:30:00.000Z', 'org.access-ended'],
    ] as const) {
      members.set(`${orgId}/${session.me.id}`, { rightsVersion: 2, accessEnd: { at, reason: 'Lost laptop' } });
      revoke({ kind: 'membership' });
      const outcome = await principals.principal(session, orgId).catch((error: Problem) => error.code);
      expect(typeof outcome === 'string' ? outcome : undefined).toBe(code);
    }
    expect((await principals.principal(session, elsewhere)).organisation?.orgId).toBe(elsewhere);
  });

  test('has the rights that org tells, and none outside an organisation', async () => {
    const session = await signIn();
    const { organisation } = await principals.principal(session, orgId);
    expect(organisation).toEqual({ orgId, permissions: ['chat:read'], rightsVersion: 1 });
    expect((await principals.principal(session, null)).organisation).toBeNull();
  });

  test("is not made for who is no member, however well another's membership is known", async () => {
    await principals.principal(await signIn(), orgId);
    const stranger = await signIn();
    members.delete(`${orgId}/${stranger.me.id}`);
    const refused = { code: 'org.organisation-not-found' };
    await expect(principals.principal(stranger, orgId)).rejects.toMatchObject(refused);
    await expect(principals.principal(stranger, newId('organisation'))).rejects.toMatchObject(refused);
  });

  test('has the new rights once the old ones were revoked, also in its token', async () => {
    const session = await signIn();
    const before = await principals.token(await principals.principal(session, orgId), 'chat');
    members.set(`${orgId}/${session.me.id}`, { rightsVersion: 2 });
    revoke({ kind: 'membership' });
    const principal = await principals.principal(session, orgId);
    expect(principal.organisation?.rightsVersion).toBe(2);
    expect(await principals.token(principal, 'chat')).not.toBe(before);
    expect(signed.at(-1)?.organisation?.rightsVersion).toBe(2);
  });

  test('that is revoked, or of whom nobody can tell, is refused though everything is known', async () => {
    const session = await signIn();
    await principals.principal(session, orgId);
    for (const code of ['platform.unauthenticated', 'platform.unavailable'] as const) {
      refusal = new Problem(code);
      await expect(principals.principal(session, orgId)).rejects.toMatchObject({ code });
    }
  });

  test('that was asked for while the rights changed is asked for once more', async () => {
    const session = await signIn();
    await principals.principal(session, orgId);
    members.set(`${orgId}/${session.me.id}`, { rightsVersion: 2 });
    outdated = 2;
    expect((await principals.principal(session, orgId)).organisation?.rightsVersion).toBe(2);
    outdated = 3;
    await expect(principals.principal(session, orgId)).rejects.toMatchObject({ code: 'platform.rights-changed' });
  });

  test('whose groups changed while they were asked for is asked for again, though the rights are the same', async () => {
    const session = await signIn();
    const key = `${orgId}/${session.me.id}`;
    members.set(key, { rightsVersion: 1, groupIds: [] });
    meanwhile = () => {
      members.set(key, { rightsVersion: 1, groupIds: ['grp_1'] });
      revoke({ kind: 'membership' });
    };
    expect((await principals.principal(session, orgId)).organisation?.groupIds).toEqual([]);
    expect((await principals.principal(session, orgId)).organisation?.groupIds).toEqual(['grp_1']);
  });

  test('who is in other groups has another token, also where the former one was being signed', async () => {
    const session = await signIn();
    const key = `${orgId}/${session.me.id}`;
    members.set(key, { rightsVersion: 1, groupIds: [] });
    const former = await principals.principal(session, orgId);
    members.set(key, { rightsVersion: 1, groupIds: ['grp_1'] });
    revoke({ kind: 'membership' });
    await principals.token(former, 'chat');
    await principals.token(await principals.principal(session, orgId), 'chat');
    expect(signed.map(({ organisation }) => organisation?.groupIds)).toEqual([[], ['grp_1']]);
  });

  test('a changed name or language is in the next token', async () => {
    const session = await signIn();
    const renamed = { ...session, me: { ...session.me, name: 'Ada Wrenfield' } };
    const translated = { ...renamed, me: { ...renamed.me, locale: 'de' as const } };
    for (const one of [session, renamed, translated])
      await principals.token(await principals.principal(one, orgId), 'chat');
    expect(signed.map(({ name, locale }) => [name, locale])).toEqual([
      ['Ada', 'en'],
      ['Ada Wrenfield', 'en'],
      ['Ada Wrenfield', 'de'],
    ]);
  });

  test('has one token for each service, organisation and session', async () => {
    const [one, other] = [await signIn(), await signIn()];
    const mine = await principals.principal(one, orgId);
    const first = await principals.token(mine, 'chat');
    expect(await principals.token(mine, 'chat')).toBe(first);
    const second = newId('organisation');
    members.set(`${second}/${one.me.id}`, { rightsVersion: mine.organisation?.rightsVersion ?? 0 });
    const others = [
      await principals.token(await principals.principal(one, second), 'chat'),
      await principals.token(mine, 'org'),
      await principals.token(await principals.principal(one, null), 'chat'),
      await principals.token(await principals.principal(other, orgId), 'chat'),
    ];
    expect(new Set([first, ...others]).size).toBe(5);
  });
});
