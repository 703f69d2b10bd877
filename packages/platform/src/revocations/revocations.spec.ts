import { afterEach, beforeEach, describe, expect, test } from '@jest/globals';
import type { OrgId, PersonPrincipal, Revocation, UserId } from '@parley/contracts';
import { createServer, type Server } from 'node:http';
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

describe('RevocationFeed', () => {
  let owner: Server;
  let feed: RevocationFeed;
  let peers: Peers;
  /** Which of the owners answer no more. */
  let isDown: (owner: 'auth' | 'org') => boolean;
  let answersAfterMs: (owner: 'auth' | 'org') => number = () => 0;
  let told: string[] = [];
  let log: Revocation[] = [];
  beforeEach(async () => {
    isDown = () => false;
    answersAfterMs = () => 0;
    log = [];
    told = [];
    const logger = createLogger({ name: 'test', level: 'silent' });
    for (const level of ['warn', 'info'] as const)
      logger[level] = (about: unknown) => void told.push(`${level} ${(about as { owner: string }).owner}`);
    owner = createServer((request, response) => {
      const after = new URL(request.url ?? '', 'http://x').searchParams.get('after');
      const of = request.url?.startsWith('/internal/org') ? 'org' : 'auth';
      if (isDown(of)) return void response.writeHead(500, { 'content-type': 'application/json' }).end('{}');
      const items = after === null || of === 'org' ? [] : log.filter(({ sequence }) => sequence > Number(after));
      response.setHeader('content-type', 'application/json');
      setTimeout(
        () => response.end(JSON.stringify({ items, cursor: items.at(-1)?.sequence ?? Number(after ?? 0) })),
        answersAfterMs(of),
      ).unref();
    });
    await new Promise<void>((resolve) => {
      owner.listen(0, '127.0.0.1', resolve);
    });
    const url = `http://127.0.0.1:${(owner.address() as AddressInfo).port}`;
    const signer = await TokenSigner.create('bff', (await createKeyRing()).signing.bff.private);
    peers = new Peers({ deployable: 'bff', addressOf: async () => url, signer, logger });
    feed = new RevocationFeed({ peers, logger });
    await feed.start();
  });
  afterEach(async () => {
    feed.close();
    owner.closeAllConnections();
    owner.close();
    await peers.close();
  });

  /** Resolves when the second is over in which the feed may not know of it yet. */
  const revoke = async (revocation: Omit<Revocation, 'sequence'>): Promise<void> => {
    log.push({ sequence: log.length + 1, ...revocation });
    await wait(1_005);
  };

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
    await expect(feed.check(someone)).resolves.toBeUndefined();
    await revoke(revocation);
    const outcome = await feed.check(someone).then(
      () => undefined,
      (error: { code: string }) => error.code,
    );
    expect([outcome, feed.isRevoked(someone)]).toEqual([code, code !== undefined]);
  });

  test('says how a session ended, with the refusal and to its tabs; of an organisation that only it is closed', async () => {
    await revoke({ kind: 'membership', subject: 'org_1/usr_1', rightsVersion: null });
    expect([feed.toldTo(someone), feed.endOf('s1')]).toEqual(['access-lost', null]);
    await revoke({ kind: 'session', subject: 's1', rightsVersion: null, reason: 'signed-out-everywhere' });
    expect([feed.toldTo(someone), feed.endOf('s1')]).toEqual(['signed-out-everywhere', 'signed-out-everywhere']);
    await expect(feed.check(someone)).rejects.toMatchObject({ extras: { sessionEnd: 'signed-out-everywhere' } });
    await revoke({ kind: 'user', subject: 'usr_2', rightsVersion: null });
    expect(feed.toldTo({ ...someone, userId: 'usr_2' as UserId, sessionKey: 's2' })).toBeNull();
  });

  test('when nobody can be asked for a second, nothing cached counts; once they answer it does again', async () => {
    isDown = () => true;
    await wait(1_400);
    await expect(feed.check(someone)).rejects.toMatchObject({ code: 'platform.unavailable' });
    isDown = () => false;
    await expect(feed.check(someone)).resolves.toBeUndefined();
    expect(told.toSorted()).toEqual(['info auth', 'info org', 'warn auth', 'warn org']);
  });

  test.each(['auth', 'org'])(
    'without an answer of %s nothing cached counts, whatever the other one says',
    async (gone) => {
      isDown = (owner) => owner === gone;
      await wait(1_400);
      await expect(feed.check(someone)).rejects.toMatchObject({ code: 'platform.unavailable' });
    },
  );

  test('answers that take longer than a second make callers wait, and refuse nobody', async () => {
    answersAfterMs = () => 1_200;
    await wait(1_300);
    const askedAt = performance.now();
    await expect(feed.check(someone)).resolves.toBeUndefined();
    // What an answer tells was so 1.2 s before; it may be a second old at the call.
    expect(performance.now() - askedAt).toBeGreaterThan(190);
    await revoke({ kind: 'session', subject: 's1', rightsVersion: null });
    await expect(feed.check(someone)).rejects.toMatchObject({ code: 'platform.unauthenticated' });
  });

  test('where every other poll of auth hangs, callers may wait and are not refused', async () => {
    let polls = 0;
    answersAfterMs = (owner) => (owner === 'auth' && (polls += 1) % 2 === 1 ? 60_000 : 0);
    for (const until = Date.now() + 4_000; Date.now() < until; await wait(100))
      await expect(feed.check(someone)).resolves.toBeUndefined();
    expect(polls).toBeGreaterThan(4);
  });

  test('an answer that comes after that of a later poll says nothing twice', async () => {
    const heard: number[] = [];
    feed.onRevoked(({ sequence }) => void heard.push(sequence));
    let polls = 0;
    answersAfterMs = (owner) => (owner === 'auth' && (polls += 1) === 1 ? 1_300 : 0);
    // The first one sees nothing yet: what it tells is older than what the next one does.
    while (polls === 0) await wait(5);
    for (const subject of ['s1', 's2', 's3'])
      log.push({ sequence: log.length + 1, kind: 'session', subject, rightsVersion: null });
    await wait(2_500);
    expect([heard, polls > 2]).toEqual([[1, 2, 3], true]);
  });

  test('two answers to polls that ran at once say each thing once', async () => {
    const heard: number[] = [];
    feed.onRevoked(({ sequence }) => void heard.push(sequence));
    let polls = 0;
    answersAfterMs = (owner) => (owner === 'auth' && (polls += 1) === 1 ? 1_300 : 0);
    // Both polls see them; the first one answers later.
    for (const subject of ['s1', 's2'])
      log.push({ sequence: log.length + 1, kind: 'session', subject, rightsVersion: null });
    await wait(2_500);
    expect([heard, polls > 2]).toEqual([[1, 2], true]);
  });
});
