import { afterEach, beforeEach, describe, expect, jest, test } from '@jest/globals';
import { Problem } from '@parley/contracts';
import { createLogger } from '@parley/platform/logging';
import type { Peers } from '@parley/platform/peers';
import { RevocationFeed } from '@parley/platform/revocations';
import { LiveGate } from './live-gate.ts';

afterEach(() => void jest.useRealTimers());

describe('LiveGate', () => {
  let feed: RevocationFeed;
  let gate: LiveGate;
  let isSilent = false;
  let sent: number[] = [];
  let cuts = 0;
  beforeEach(async () => {
    jest.useFakeTimers();
    [isSilent, sent, cuts] = [false, [], 0];
    const call = async (_route: unknown, _input: unknown, { deadlineMs }: Parameters<Peers['call']>[2]) => {
      if (!isSilent) return { items: [], cursor: 0 };
      await new Promise((resolve) => setTimeout(resolve, deadlineMs));
      throw new Problem('platform.unavailable');
    };
    const logger = createLogger({ name: 'test', level: 'silent' });
    feed = new RevocationFeed({ peers: { call } as unknown as Peers, logger });
    await feed.start();
    gate = new LiveGate({ feed, tellHeld: () => undefined, closeAll: () => void (cuts += 1) });
  });
  afterEach(() => {
    gate.close();
    feed.close();
  });

  const pass = (count: number): void => {
    for (let each = 0; each < count; each += 1) gate.pass(() => void sent.push(sent.length));
  };

  test('lets through at once while revocations are known, and holds back while nobody tells', async () => {
    pass(2);
    expect(sent).toEqual([0, 1]);
    isSilent = true;
    await jest.advanceTimersByTimeAsync(1_500);
    pass(2);
    await jest.advanceTimersByTimeAsync(50_000);
    expect([sent, cuts]).toEqual([[0, 1], 0]);
  });

  test('what was held goes on in order once somebody tells, before what comes after it', async () => {
    isSilent = true;
    await jest.advanceTimersByTimeAsync(1_500);
    const order: string[] = [];
    for (const name of ['one', 'two']) gate.pass(() => void order.push(name));
    isSilent = false;
    while (!feed.isFresh()) await jest.advanceTimersByTimeAsync(1);
    gate.pass(() => void order.push('three'));
    await jest.advanceTimersByTimeAsync(2_000);
    expect([order, cuts]).toEqual([['one', 'two', 'three'], 0]);
  });

  test('what is too much for memory cuts all sockets, too', async () => {
    isSilent = true;
    await jest.advanceTimersByTimeAsync(1_500);
    pass(20_001);
    expect([sent, cuts]).toEqual([[], 1]);
  });
});

describe('an outage', () => {
  let isFresh: boolean;
  let told: unknown[];
  let gate: LiveGate;
  beforeEach(() => {
    jest.useFakeTimers();
    [isFresh, told] = [true, []];
    gate = new LiveGate({
      feed: { isFresh: () => isFresh },
      tellHeld: (isHeld) => void told.push(isHeld ? 'held' : 'goes on'),
      closeAll: () => void told.push('all closed'),
    });
  });
  afterEach(() => {
    gate.close();
  });
  const lasts = (seconds: number): void => {
    isFresh = false;
    jest.advanceTimersByTime(seconds * 1_000);
  };

  test.each([10, 59])(
    'of %d s closes no socket: they are told, and have all of it before they are told that it goes on',
    (seconds) => {
      lasts(seconds);
      gate.pass(() => void told.push('a word'));
      expect(told).toEqual(['held']);
      isFresh = true;
      jest.advanceTimersByTime(200);
      expect(told).toEqual(['held', 'a word', 'goes on']);
    },
  );

  test('of less than a second is told to nobody', () => {
    lasts(0.9);
    isFresh = true;
    jest.advanceTimersByTime(1_000);
    expect(told).toEqual([]);
  });

  test('of more than a minute closes all sockets once, and what was held is sent to nobody', () => {
    lasts(30);
    gate.pass(() => void told.push('a word'));
    lasts(31);
    expect(told).toEqual(['held', 'all closed']);
    isFresh = true;
    jest.advanceTimersByTime(1_000);
    expect(told).toEqual(['held', 'all closed', 'goes on']);
  });
});
