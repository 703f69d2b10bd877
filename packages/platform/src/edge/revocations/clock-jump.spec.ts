import { afterEach, expect, jest, test } from '@jest/globals';
import type { PersonPrincipal } from '@parley/contracts';
import { Problem } from '@parley/protocol';
import type { Logger } from '../../base/logging/index.ts';
import type { Peers } from '../peers/index.ts';
import { MemoryDoorbell } from '../../ports/doorbell/index.ts';
import { RevocationFeed } from './revocations.ts';

const someone = { kind: 'person', userId: 'usr_1', sessionKey: 's1', organisation: null } as unknown as PersonPrincipal;
const logger = { warn: () => {}, info: () => {} } as unknown as Logger;

afterEach(() => void jest.restoreAllMocks());

async function aFeed() {
  let [isDown, polls] = [false, 0];
  const call = async () => {
    polls += 1;
    if (isDown) throw new Problem('platform.unavailable');
    return { items: [], cursor: 0 };
  };
  const feed = new RevocationFeed({
    peers: { call } as unknown as Peers,
    doorbell: new MemoryDoorbell(),
    logger,
    isAlone: false,
  });
  await feed.start();
  return { feed, down: () => void (isDown = true), polls: () => polls };
}

/** Moves the wall clock and not the monotonic one, as when a machine wakes. */
const jump = (ms: number): void => {
  const { now } = Date;
  jest.spyOn(Date, 'now').mockImplementation(() => now() + ms);
};

test.each([7_200_000, -7_200_000])(
  'after the clock jumps by %d ms, auth and org are asked before anyone gets access',
  async (ms) => {
    const { feed, polls } = await aFeed();
    expect(feed.isFresh()).toBe(true);
    jump(ms);
    const before = polls();
    expect(feed.isFresh()).toBe(false);
    await feed.check(someone);
    expect(polls()).toBeGreaterThan(before);
    expect(feed.isFresh()).toBe(true);
    feed.close();
  },
);

test.each([7_200_000, -7_200_000])(
  'after the clock jumps by %d ms, nobody gets access while auth and org don’t answer',
  async (ms) => {
    const { feed, down } = await aFeed();
    down();
    jump(ms);
    await expect(feed.check(someone)).rejects.toMatchObject({ code: 'platform.unavailable' });
    feed.close();
  },
);
