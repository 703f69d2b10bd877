import { afterEach, beforeEach, expect, jest, test } from '@jest/globals';
import type { PersonPrincipal, Revocation } from '@parley/contracts';
import { Problem } from '@parley/protocol';
import { MemoryDoorbell } from '../../ports/doorbell/index.ts';
import type { Logger } from '../../base/logging/index.ts';
import type { Peers } from '../peers/index.ts';
import { revocationsPerPage } from './revocation-log.ts';
import { RevocationFeed } from './revocations.ts';

const logger = { warn: () => {}, info: () => {} } as unknown as Logger;
const withinMs = 1_000;
let log: Revocation[];
let feed: RevocationFeed;
let isDown: boolean;
/** Start times of polls: one entry for each poll of one owner, so two when the feed polls both. */
let calls: number[];
let answersAfterMs: number;

/** Starts a feed whose owners never ring, as if each ring were lost. */
beforeEach(async () => {
  jest.useFakeTimers();
  [log, calls, isDown, answersAfterMs] = [[], [], false, 0];
  const call = async (_route: unknown, { query: { after } }: { query: { after?: number } }) => {
    calls.push(performance.now());
    const items = after === undefined ? [] : log.slice(after, after + revocationsPerPage);
    await new Promise((resolve) => setTimeout(resolve, answersAfterMs));
    if (isDown) throw new Problem('platform.unavailable');
    return { items, cursor: items.at(-1)?.sequence ?? after ?? 0 };
  };
  const peers = { call } as unknown as Peers;
  feed = new RevocationFeed({ peers, doorbell: new MemoryDoorbell(), logger, isAlone: false });
  const started = feed.start();
  await jest.advanceTimersByTimeAsync(0);
  await started;
});
afterEach(() => {
  feed.close();
  jest.useRealTimers();
});

/** Counts the milliseconds of the next `ms` during which the feed is not fresh. */
async function unsureMs(ms: number): Promise<number> {
  let unsure = 0;
  for (let each = 0; each < ms; each += 1) {
    await jest.advanceTimersByTimeAsync(1);
    if (!feed.isFresh()) unsure += 1;
  }
  return unsure;
}

test('a feed with a listener asks each owner less than twice a second', async () => {
  feed.onRevoked(() => undefined);
  calls.length = 0;
  await jest.advanceTimersByTimeAsync(60_000);
  expect(calls.length / 2).toBeGreaterThan(60);
  expect(calls.length / 2).toBeLessThanOrEqual(101);
});

test('after a full answer reads the next one before anything counts as known', async () => {
  feed.onRevoked(() => undefined);
  const session = { kind: 'session', rightsVersion: null } as const;
  log = Array.from({ length: revocationsPerPage + 1 }, (_unused, at) => {
    return { ...session, subject: `s${at}`, sequence: at + 1 };
  });
  const last = { sessionKey: log.at(-1)!.subject, userId: 'usr_1', organisation: null } as unknown as PersonPrincipal;
  await jest.advanceTimersByTimeAsync(700);
  expect(feed.isRevoked(last)).toBe(true);
});

test('a feed without checks and listeners polls no owner', async () => {
  await jest.advanceTimersByTimeAsync(3_000);
  calls.length = 0;
  await jest.advanceTimersByTimeAsync(60_000);
  expect(calls).toEqual([]);
});

test.each([0, 20, 100, 380])(
  'a revocation with a lost ring is known within a second, at any moment, if auth and org answer after %d ms',
  async (ms) => {
    answersAfterMs = ms;
    const revokedAt: number[] = [];
    let latest = 0;
    feed.onRevoked(({ sequence }) => (latest = Math.max(latest, performance.now() - revokedAt[sequence - 1]!)));
    await jest.advanceTimersByTimeAsync(2_000);
    for (let sequence = 1; sequence <= 60; sequence += 1) {
      revokedAt.push(performance.now());
      log.push({ sequence, kind: 'session', subject: `s${sequence}`, rightsVersion: null });
      expect(await unsureMs(137)).toBe(0);
    }
    await jest.advanceTimersByTimeAsync(withinMs);
    expect(latest).toBeGreaterThan(0);
    expect(latest).toBeLessThanOrEqual(withinMs);
  },
);

test('the feed stays fresh when one poll fails', async () => {
  answersAfterMs = 50;
  feed.onRevoked(() => undefined);
  await jest.advanceTimersByTimeAsync(2_900);
  calls.length = 0;
  isDown = true;
  let unsure = 0;
  while (calls.length === 0) unsure += await unsureMs(1);
  unsure += await unsureMs(answersAfterMs);
  isDown = false;
  expect(unsure + (await unsureMs(2_000))).toBe(0);
});
