import { afterEach, beforeEach, describe, expect, jest, test } from '@jest/globals';
import { listOrgRevocations, type PersonPrincipal, type Revocation } from '@parley/contracts';
import { Problem, type OrgId, type UserId } from '@parley/protocol';
import { newId } from '../../base/ids/index.ts';
import { createLogger } from '../../base/logging/index.ts';
import type { Peers } from '../peers/index.ts';
import { MemoryDoorbell } from '../../ports/doorbell/index.ts';
import { revocationsBell } from './revocation-log.ts';
import { RevocationFeed } from './revocations.ts';

const someone: PersonPrincipal = {
  kind: 'person',
  userId: 'usr_1' as UserId,
  name: 'P',
  locale: 'en',
  sessionKey: 's1',
  platformRole: null,
  mayCreateOrganisations: false,
  organisation: { orgId: 'org_1' as OrgId, permissions: [], rightsVersion: 3 },
};

type Owner = 'auth' | 'org';
const closings: (() => void)[] = [];
beforeEach(() => void jest.useFakeTimers());
afterEach(() => {
  for (const close of closings.splice(0)) close();
  jest.useRealTimers();
});

const pass = (ms: number) => jest.advanceTimersByTimeAsync(ms);
/** Moves the clock until the work has settled, and returns its result. */
async function outcomeOf<Result>(work: Promise<Result>): Promise<Result> {
  let isOver = false;
  const end = () => void (isOver = true);
  void work.then(end, end);
  while (!isOver) await pass(10);
  return work;
}

type Asked = Parameters<Peers['call']>;

/** Starts a feed and its owners, auth and org; `isAlone` puts them in its process. */
async function aFeed({ isAlone = false } = {}) {
  const told: string[] = [];
  const log: Revocation[] = [];
  const owners = {
    /** Says which owners don't answer any more. */
    isDown: (_owner: Owner): boolean => false,
    answersAfterMs: (_owner: Owner): number => 0,
    /** Number of requests to auth. */
    polls: 0,
  };
  const logger = createLogger({ name: 'test', level: 'silent' });
  for (const level of ['warn', 'info'] as const)
    logger[level] = (about: unknown) => void told.push(`${level} ${(about as { owner: string }).owner}`);
  const call = async (route: Asked[0], { query }: { query: { after?: number } }, { deadlineMs }: Asked[2]) => {
    const of = (route as unknown) === listOrgRevocations ? 'org' : 'auth';
    if (of === 'auth') owners.polls += 1;
    if (owners.isDown(of)) throw new Problem('platform.unavailable');
    const { after } = query;
    const items = after === undefined || of === 'org' ? [] : log.filter(({ sequence }) => sequence > after);
    const takesMs = owners.answersAfterMs(of);
    if (takesMs > 0) await new Promise((resolve) => setTimeout(resolve, Math.min(takesMs, deadlineMs)));
    if (takesMs > deadlineMs) throw new Problem('platform.unavailable');
    return { items, cursor: items.at(-1)?.sequence ?? after ?? 0 };
  };
  const doorbell = new MemoryDoorbell();
  const feed = new RevocationFeed({ peers: { call } as unknown as Peers, doorbell, logger, isAlone });
  await feed.start();
  closings.push(() => feed.close());
  const add = (...revocations: readonly Omit<Revocation, 'sequence'>[]): void => {
    for (const revocation of revocations) log.push({ sequence: log.length + 1, ...revocation });
  };
  /** Revokes these, and resolves a second later, when the feed has to know them. */
  const revoke = async (...revocations: readonly Omit<Revocation, 'sequence'>[]): Promise<void> => {
    // Checks once to make the feed poll, because a feed without checks pauses.
    await feed.check(someone).catch(() => undefined);
    add(...revocations);
    await pass(1_000);
  };
  const ring = () => doorbell.ring(revocationsBell('auth'));
  return { feed, owners, told, add, revoke, ring };
}

describe('RevocationFeed', () => {
  const [signedOut, outdated] = ['platform.unauthenticated', 'platform.rights-changed'];
  test.each<[string, Omit<Revocation, 'sequence'>, string | undefined]>([
    ['the session', { kind: 'session', subject: 's1', rightsVersion: null }, signedOut],
    ['another session', { kind: 'session', subject: 's2', rightsVersion: null }, undefined],
    ['the person', { kind: 'user', subject: 'usr_1', rightsVersion: null }, signedOut],
    ['an older version of the rights', { kind: 'membership', subject: 'org_1/usr_1', rightsVersion: 4 }, outdated],
    ['a version that the principal has', { kind: 'membership', subject: 'org_1/usr_1', rightsVersion: 3 }, undefined],
    ['that the person left', { kind: 'membership', subject: 'org_1/usr_1', rightsVersion: null }, outdated],
    ['the organisation', { kind: 'organisation', subject: 'org_1', rightsVersion: null }, outdated],
    ['an older version of a role', { kind: 'organisation', subject: 'org_1', rightsVersion: 4 }, outdated],
    [
      'that a role is as the principal knows it',
      { kind: 'organisation', subject: 'org_1', rightsVersion: 3 },
      undefined,
    ],
  ])('knows %s within a second', async (_name, revocation, code) => {
    const { feed, revoke } = await aFeed();
    await expect(feed.check(someone)).resolves.toBeUndefined();
    await revoke(revocation);
    const outcome = await feed.check(someone).then(
      () => undefined,
      (error: { code: string }) => error.code,
    );
    expect([outcome, feed.isRevoked(someone)]).toEqual([code, code !== undefined]);
  });

  test('says how a session ended, in the refusal and to its tabs; losing one organisation closes only that one', async () => {
    const { feed, revoke } = await aFeed();
    await revoke({ kind: 'membership', subject: 'org_1/usr_1', rightsVersion: null });
    expect([feed.toldTo(someone), feed.endOf('s1')]).toEqual(['access-lost', null]);
    await revoke({ kind: 'session', subject: 's1', rightsVersion: null, reason: 'signed-out-everywhere' });
    expect([feed.toldTo(someone), feed.endOf('s1')]).toEqual(['signed-out-everywhere', 'signed-out-everywhere']);
    await expect(feed.check(someone)).rejects.toMatchObject({ extras: { sessionEnd: 'signed-out-everywhere' } });
    await revoke({ kind: 'user', subject: 'usr_2', rightsVersion: null });
    expect(feed.toldTo({ ...someone, userId: 'usr_2' as UserId, sessionKey: 's2' })).toBeNull();
  });

  test('says that an API key was revoked, and asks no API client to sign in', async () => {
    const { feed, revoke } = await aFeed();
    const byKey = { ...someone, sessionKey: newId('apiKey') };
    await revoke({ kind: 'session', subject: byKey.sessionKey, rightsVersion: null });
    await expect(feed.check(byKey)).rejects.toMatchObject({
      code: 'auth.api-key-invalid',
      extras: { detail: 'It was revoked.' },
    });
  });

  test('cached principals are invalid after a second without an answer, and valid again once the owners answer', async () => {
    const { feed, owners, told } = await aFeed();
    owners.isDown = () => true;
    await pass(1_400);
    await expect(feed.check(someone)).rejects.toMatchObject({ code: 'platform.unavailable' });
    owners.isDown = () => false;
    await expect(feed.check(someone)).resolves.toBeUndefined();
    expect(told.toSorted()).toEqual(['info auth', 'info org', 'warn auth', 'warn org']);
  });

  test.each(['auth', 'org'] as const)(
    'cached principals are invalid without an answer of %s, even if the other owner answers',
    async (gone) => {
      const { feed, owners } = await aFeed();
      owners.isDown = (owner) => owner === gone;
      await pass(1_400);
      await expect(feed.check(someone)).rejects.toMatchObject({ code: 'platform.unavailable' });
    },
  );

  test('responses that take longer than a second make callers wait and refuse nobody', async () => {
    const { feed, owners, add } = await aFeed();
    owners.answersAfterMs = () => 1_200;
    await pass(1_300);
    let isAnswered = false;
    const checked = feed.check(someone).finally(() => (isAnswered = true));
    // Still waits: the newest answer is 1.2 s old, so it lacks revocations of up to a second before the call.
    await pass(199);
    expect(isAnswered).toBe(false);
    await expect(outcomeOf(checked)).resolves.toBeUndefined();
    add({ kind: 'session', subject: 's1', rightsVersion: null });
    await pass(1_000);
    await expect(outcomeOf(feed.check(someone))).rejects.toMatchObject({ code: 'platform.unauthenticated' });
  });

  test('callers wait and aren’t refused while every other poll of auth isn’t answered', async () => {
    const { feed, owners } = await aFeed();
    let polls = 0;
    owners.answersAfterMs = (owner) => (owner === 'auth' && (polls += 1) % 2 === 1 ? 60_000 : 0);
    for (let round = 0; round < 40; round += 1) {
      await expect(outcomeOf(feed.check(someone))).resolves.toBeUndefined();
      await pass(100);
    }
    expect(polls).toBeGreaterThan(4);
  });

  test('pauses polling without checks and listeners, and knows at the next check what was revoked meanwhile', async () => {
    const { feed, owners, add } = await aFeed();
    await pass(2_400);
    const restingFrom = owners.polls;
    add({ kind: 'session', subject: 's1', rightsVersion: null });
    await pass(60_000);
    expect(owners.polls).toBe(restingFrom);
    await expect(feed.check(someone)).rejects.toMatchObject({ code: 'platform.unauthenticated' });
    await pass(1_000);
    expect(owners.polls).toBeGreaterThan(restingFrom + 1);
  });

  test('a listener keeps the feed polling', async () => {
    const { feed, add } = await aFeed();
    const heard: string[] = [];
    const stop = feed.onRevoked(({ subject }) => void heard.push(subject));
    await pass(3_000);
    add({ kind: 'session', subject: 's1', rightsVersion: null });
    await pass(1_000);
    expect(heard).toEqual(['s1']);
    stop();
  });

  test('a listener with `whileAsked` lets polling pause, and hears all revocations before the next check', async () => {
    const { feed, owners, add } = await aFeed();
    const heard: string[] = [];
    feed.onRevoked(({ subject }) => void heard.push(subject), { whileAsked: true });
    await pass(2_400);
    const { polls } = owners;
    add({ kind: 'session', subject: 's1', rightsVersion: null });
    await pass(60_000);
    expect([owners.polls, heard]).toEqual([polls, []]);
    await feed.check(someone).catch(() => undefined);
    expect(heard).toEqual(['s1']);
  });

  test('a poll that is answered after a later poll reports no revocation twice', async () => {
    const { feed, owners, add } = await aFeed();
    const heard: number[] = [];
    feed.onRevoked(({ sequence }) => void heard.push(sequence));
    let polls = 0;
    owners.answersAfterMs = (owner) => (owner === 'auth' && (polls += 1) === 1 ? 1_300 : 0);
    // Waits until the slow first poll has begun: its answer lacks the revocations, and comes after a later poll's.
    while (polls === 0) await pass(1);
    for (const subject of ['s1', 's2', 's3']) add({ kind: 'session', subject, rightsVersion: null });
    await pass(2_500);
    expect(polls).toBeGreaterThan(2);
    expect(heard).toEqual([1, 2, 3]);
  });

  test('two answers to concurrent polls report each revocation once', async () => {
    const { feed, owners, add } = await aFeed();
    const heard: number[] = [];
    feed.onRevoked(({ sequence }) => void heard.push(sequence));
    let polls = 0;
    owners.answersAfterMs = (owner) => (owner === 'auth' && (polls += 1) === 1 ? 1_300 : 0);
    // Both polls see both revocations; the first poll is answered later.
    for (const subject of ['s1', 's2']) add({ kind: 'session', subject, rightsVersion: null });
    await pass(2_500);
    expect(polls).toBeGreaterThan(2);
    expect(heard).toEqual([1, 2]);
  });

  const ended = { kind: 'session', subject: 's1', rightsVersion: null } as const;
  test('polls an owner soon after it rings', async () => {
    const { feed, add, ring } = await aFeed();
    const heard: string[] = [];
    feed.onRevoked(({ subject }) => void heard.push(subject));
    await pass(50);
    add(ended);
    ring();
    await pass(60);
    expect(heard).toEqual(['s1']);
  });

  test('polls an owner in the same process after a ring and each half minute, and refuses nobody meanwhile', async () => {
    const { feed, owners, add, ring } = await aFeed({ isAlone: true });
    feed.onRevoked(() => undefined);
    const { polls } = owners;
    await pass(29_000);
    await expect(feed.check(someone)).resolves.toBeUndefined();
    expect([owners.polls, feed.isFresh()]).toEqual([polls, true]);
    add(ended);
    ring();
    await pass(60);
    await expect(feed.check(someone)).rejects.toMatchObject({ code: 'platform.unauthenticated' });
    expect(owners.polls).toBe(polls + 1);
    await pass(31_000);
    expect(owners.polls).toBe(polls + 2);
  });

  test('polls an owner in the same process after a ring, even if there was no check for a minute', async () => {
    const { feed, add, ring } = await aFeed({ isAlone: true });
    await pass(60_000);
    add(ended);
    ring();
    await pass(60);
    expect(feed.isRevoked(someone)).toBe(true);
  });

  test('rejects checks if an owner in the same process rang over a second ago and doesn’t answer', async () => {
    const { feed, owners, add, ring } = await aFeed({ isAlone: true });
    owners.isDown = (owner) => owner === 'auth';
    add(ended);
    for (let each = 0; each < 5; each += 1) {
      ring();
      await pass(300);
    }
    await expect(feed.check(someone)).rejects.toMatchObject({ code: 'platform.unavailable' });
    owners.isDown = () => false;
    await pass(400);
    await expect(feed.check(someone)).rejects.toMatchObject({ code: 'platform.unauthenticated' });
  });
});
