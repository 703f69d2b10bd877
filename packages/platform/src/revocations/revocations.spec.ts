import { afterAll, describe, expect, test } from '@jest/globals';
import type { OrgId, PersonPrincipal, Revocation, UserId } from '@parley/contracts';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { setTimeout as wait } from 'node:timers/promises';
import { createKeyRing, TokenSigner } from '../crypto/index.ts';
import { createLogger } from '../logging/index.ts';
import { Peers } from '../peers/index.ts';
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
const closings: (() => Promise<void>)[] = [];
afterAll(() => Promise.all(closings.map((close) => close())));

/** A feed that has begun, and its owners. Each test has its own: nearly all of them wait, and they do so together. */
async function aFeed() {
  const told: string[] = [];
  const log: Revocation[] = [];
  const owners = {
    /** Which of them answer no more. */
    isDown: (_owner: Owner): boolean => false,
    answersAfterMs: (_owner: Owner): number => 0,
    /** How often auth was asked. */
    polls: 0,
  };
  const logger = createLogger({ name: 'test', level: 'silent' });
  for (const level of ['warn', 'info'] as const)
    logger[level] = (about: unknown) => void told.push(`${level} ${(about as { owner: string }).owner}`);
  const server = createServer((request, response) => {
    const after = new URL(request.url ?? '', 'http://x').searchParams.get('after');
    const of = request.url?.startsWith('/internal/org') ? 'org' : 'auth';
    if (of === 'auth') owners.polls += 1;
    if (owners.isDown(of)) return void response.writeHead(500, { 'content-type': 'application/json' }).end('{}');
    const items = after === null || of === 'org' ? [] : log.filter(({ sequence }) => sequence > Number(after));
    response.setHeader('content-type', 'application/json');
    setTimeout(
      () => response.end(JSON.stringify({ items, cursor: items.at(-1)?.sequence ?? Number(after ?? 0) })),
      owners.answersAfterMs(of),
    ).unref();
  });
  await new Promise<void>((resolve) => {
    server.listen(0, '127.0.0.1', resolve);
  });
  const url = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
  const signer = await TokenSigner.create('bff', (await createKeyRing()).signing.bff.private);
  const peers = new Peers({ deployable: 'bff', addressOf: async () => url, signer, logger });
  const feed = new RevocationFeed({ peers, logger });
  await feed.start();
  closings.push(async () => {
    feed.close();
    server.closeAllConnections();
    server.close();
    await peers.close();
  });
  const add = (...revocations: readonly Omit<Revocation, 'sequence'>[]): void => {
    for (const revocation of revocations) log.push({ sequence: log.length + 1, ...revocation });
  };
  /** Resolves when the second is over in which the feed may not know of them yet. */
  const revoke = async (...revocations: readonly Omit<Revocation, 'sequence'>[]): Promise<void> => {
    add(...revocations);
    await wait(1_005);
    // On a busy machine its answer may still lie there unread: a check waits for it, as that of a request would.
    await feed.check(someone).catch(() => undefined);
  };
  return { feed, owners, told, add, revoke };
}

describe('RevocationFeed', () => {
  const [signedOut, outdated] = ['platform.unauthenticated', 'platform.rights-changed'];
  test.concurrent.each<[string, Omit<Revocation, 'sequence'>, string | undefined]>([
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

  test.concurrent('says how a session ended, with the refusal and to its tabs; of an organisation that only it is closed', async () => {
    const { feed, revoke } = await aFeed();
    await revoke({ kind: 'membership', subject: 'org_1/usr_1', rightsVersion: null });
    expect([feed.toldTo(someone), feed.endOf('s1')]).toEqual(['access-lost', null]);
    await revoke({ kind: 'session', subject: 's1', rightsVersion: null, reason: 'signed-out-everywhere' });
    expect([feed.toldTo(someone), feed.endOf('s1')]).toEqual(['signed-out-everywhere', 'signed-out-everywhere']);
    await expect(feed.check(someone)).rejects.toMatchObject({ extras: { sessionEnd: 'signed-out-everywhere' } });
    await revoke({ kind: 'user', subject: 'usr_2', rightsVersion: null });
    expect(feed.toldTo({ ...someone, userId: 'usr_2' as UserId, sessionKey: 's2' })).toBeNull();
  });

  test.concurrent('when nobody can be asked for a second, nothing cached counts; once they answer it does again', async () => {
    const { feed, owners, told } = await aFeed();
    owners.isDown = () => true;
    await wait(1_400);
    await expect(feed.check(someone)).rejects.toMatchObject({ code: 'platform.unavailable' });
    owners.isDown = () => false;
    await expect(feed.check(someone)).resolves.toBeUndefined();
    expect(told.toSorted()).toEqual(['info auth', 'info org', 'warn auth', 'warn org']);
  });

  test.concurrent.each(['auth', 'org'] as const)(
    'without an answer of %s nothing cached counts, whatever the other one says',
    async (gone) => {
      const { feed, owners } = await aFeed();
      owners.isDown = (owner) => owner === gone;
      await wait(1_400);
      await expect(feed.check(someone)).rejects.toMatchObject({ code: 'platform.unavailable' });
    },
  );

  test.concurrent('answers that take longer than a second make callers wait, and refuse nobody', async () => {
    const { feed, owners, revoke } = await aFeed();
    owners.answersAfterMs = () => 1_200;
    await wait(1_300);
    const askedAt = performance.now();
    await expect(feed.check(someone)).resolves.toBeUndefined();
    // What an answer tells was so 1.2 s before; it may be a second old at the call.
    expect(performance.now() - askedAt).toBeGreaterThan(190);
    await revoke({ kind: 'session', subject: 's1', rightsVersion: null });
    await expect(feed.check(someone)).rejects.toMatchObject({ code: 'platform.unauthenticated' });
  });

  test.concurrent('where every other poll of auth hangs, callers may wait and are not refused', async () => {
    const { feed, owners } = await aFeed();
    let polls = 0;
    owners.answersAfterMs = (owner) => (owner === 'auth' && (polls += 1) % 2 === 1 ? 60_000 : 0);
    for (const until = Date.now() + 4_000; Date.now() < until; await wait(100))
      await expect(feed.check(someone)).resolves.toBeUndefined();
    expect(polls).toBeGreaterThan(4);
  });

  test.concurrent('without checks and listeners polling pauses, and the next check still sees what was revoked', async () => {
    const { feed, owners, add } = await aFeed();
    await wait(2_400);
    const restingFrom = owners.polls;
    add({ kind: 'session', subject: 's1', rightsVersion: null });
    await wait(1_500);
    expect(owners.polls).toBe(restingFrom);
    await expect(feed.check(someone)).rejects.toMatchObject({ code: 'platform.unauthenticated' });
    await wait(1_000);
    expect(owners.polls).toBeGreaterThan(restingFrom + 1);
  });

  test.concurrent('a listener keeps it polling', async () => {
    const { feed, add } = await aFeed();
    const heard: string[] = [];
    const stop = feed.onRevoked(({ subject }) => void heard.push(subject));
    await wait(3_000);
    add({ kind: 'session', subject: 's1', rightsVersion: null });
    await wait(1_005);
    // On a busy machine its answer may still lie there unread.
    await feed.check(someone).catch(() => undefined);
    expect(heard).toEqual(['s1']);
    stop();
  });

  test.concurrent('an answer that comes after that of a later poll says nothing twice', async () => {
    const { feed, owners, add } = await aFeed();
    const heard: number[] = [];
    feed.onRevoked(({ sequence }) => void heard.push(sequence));
    let polls = 0;
    owners.answersAfterMs = (owner) => (owner === 'auth' && (polls += 1) === 1 ? 1_300 : 0);
    // The first one sees nothing yet: what it tells is older than what the next one does.
    while (polls === 0) await wait(5);
    for (const subject of ['s1', 's2', 's3']) add({ kind: 'session', subject, rightsVersion: null });
    await wait(2_500);
    while (heard.length < 3 || polls <= 2) await wait(50);
    expect(heard).toEqual([1, 2, 3]);
  });

  test.concurrent('two answers to polls that ran at once say each thing once', async () => {
    const { feed, owners, add } = await aFeed();
    const heard: number[] = [];
    feed.onRevoked(({ sequence }) => void heard.push(sequence));
    let polls = 0;
    owners.answersAfterMs = (owner) => (owner === 'auth' && (polls += 1) === 1 ? 1_300 : 0);
    // Both polls see them; the first one answers later.
    for (const subject of ['s1', 's2']) add({ kind: 'session', subject, rightsVersion: null });
    await wait(2_500);
    while (heard.length < 2 || polls <= 2) await wait(50);
    expect(heard).toEqual([1, 2]);
  });
});
