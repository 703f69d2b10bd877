import { afterEach, beforeEach, describe, expect, jest, test } from '@jest/globals';
import { createLogger } from '@parley/platform/logging';
import type { Peers } from '@parley/platform/peers';
import { MemoryDoorbell } from '@parley/platform/doorbell';
import { RevocationFeed } from '@parley/platform/revocations';
import { Problem } from '@parley/protocol';
import { LiveGate } from './live-gate.ts';

afterEach(() => void jest.useRealTimers());

describe('LiveGate', () => {
  let feed: RevocationFeed;
  let gate: LiveGate;
  let isSilent = false;
  let sent: number[] = [];
  beforeEach(async () => {
    jest.useFakeTimers();
    [isSilent, sent] = [false, []];
    const call = async (_route: unknown, _input: unknown, { deadlineMs }: Parameters<Peers['call']>[2]) => {
      if (!isSilent) return { items: [], cursor: 0 };
      await new Promise((resolve) => setTimeout(resolve, deadlineMs));
      throw new Problem('platform.unavailable');
    };
    const logger = createLogger({ name: 'test', level: 'silent' });
    feed = new RevocationFeed({
      peers: { call } as unknown as Peers,
      doorbell: new MemoryDoorbell(),
      logger,
      isAlone: false,
    });
    await feed.start();
    gate = new LiveGate({ feed, hasSockets: () => true, tellHeld: () => undefined });
    gate.start();
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
    expect(sent).toEqual([0, 1]);
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
    expect(order).toEqual(['one', 'two', 'three']);
  });
});

describe('an outage', () => {
  let isFresh: boolean;
  let hasSockets: boolean;
  let looks: number;
  let told: unknown[];
  let gate: LiveGate;
  beforeEach(() => {
    jest.useFakeTimers();
    [isFresh, hasSockets, looks, told] = [true, true, 0, []];
    gate = new LiveGate({
      feed: { isFresh: () => isFresh },
      hasSockets: () => ((looks += 1), hasSockets),
      tellHeld: (isHeld) => void told.push(isHeld ? 'held' : 'goes on'),
    });
    gate.start();
  });
  afterEach(() => {
    gate.close();
  });
  const lasts = (seconds: number): void => {
    isFresh = false;
    jest.advanceTimersByTime(seconds * 1_000);
  };

  test.each([10, 3_600])(
    'of %d s is told to sockets, which have all of it before they are told that it goes on',
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

  test('without sockets is looked for by no timer, unless something is held', () => {
    hasSockets = false;
    jest.advanceTimersByTime(10_000);
    expect(looks).toBe(1);
    isFresh = false;
    gate.pass(() => void told.push('a word'));
    jest.advanceTimersByTime(200);
    isFresh = true;
    jest.advanceTimersByTime(10_000);
    expect([told, looks]).toEqual([['a word'], 2]);
  });
});

describe('an outage of 60 s', () => {
  const answers = 20;
  const word = 'eight ch';
  /** Up to when it is known who lost access. */
  let knownAt: number;
  let told: boolean[];
  let texts: Map<number, string>;
  let gate: LiveGate;
  beforeEach(() => {
    jest.useFakeTimers();
    [told, texts] = [[], new Map()];
    knownAt = performance.now() - 1_000;
    gate = new LiveGate({
      feed: { isFresh: (at?: number) => (at ?? performance.now()) - knownAt < 1_000 },
      hasSockets: () => true,
      tellHeld: (isHeld) => void told.push(isHeld),
    });
    gate.start();
  });
  afterEach(() => {
    gate.close();
  });
  const say = (answer: number, text: string): void =>
    gate.pass(() => void texts.set(answer, (texts.get(answer) ?? '') + text), text.length);
  /** 25 frames a second of each answer, as fast as a worker sends them. */
  const write = (seconds: number, count: number): void => {
    for (let frame = 0; frame < seconds * 25; frame += 1) {
      for (let answer = 0; answer < count; answer += 1) say(answer, word);
      jest.advanceTimersByTime(40);
    }
  };
  const goOn = (): void => {
    knownAt = performance.now();
    jest.advanceTimersByTime(200);
  };

  test('holds twenty answers at full speed, which then come whole', () => {
    write(60, answers);
    goOn();
    expect([told, texts.size]).toEqual([[true, false], answers]);
    expect(new Set(texts.values())).toEqual(new Set([word.repeat(1_500)]));
  });

  test('drops held messages at the size limit: sockets are notified and receive later messages', () => {
    say(0, 'x'.repeat(7_900_000));
    expect(told).toEqual([]);
    say(0, 'x'.repeat(100_000));
    expect([told, texts.size]).toEqual([[true], 0]);
    say(1, 'one ');
    jest.advanceTimersByTime(1_000);
    goOn();
    say(1, 'two');
    expect([told, [...texts]]).toEqual([[true, false], [[1, 'one two']]]);
  });

  test('delivers, too, while news is late all the time', () => {
    const learning = setInterval(() => (knownAt = performance.now() - 3_000), 100);
    write(10, 1);
    clearInterval(learning);
    expect(texts.get(0)?.length).toBeGreaterThanOrEqual(5 * 25 * word.length);
  });
});
