import { afterEach, beforeEach, describe, expect, test } from '@jest/globals';
import type { Kv } from '@parley/platform/kv';
import { randomUUID } from 'node:crypto';

const inMs = (ms: number): { expiresAt: Date } => ({ expiresAt: new Date(Date.now() + ms) });
const day = 24 * 3600 * 1000;

/** What an adapter may do differently. */
export type KvFeatures = {
  /** Two instances are two processes that see the same values. */
  readonly isShared: boolean;
  /** Long enough to write values and read them again, short enough to wait for. */
  readonly shortMs: number;
  /** Moves the clock that expires keys. */
  readonly pass: (ms: number) => Promise<unknown>;
};

let kv: Kv;
let key: string;

/** The promise of port Kv. `makeKv` may give the same shared store again: keys are fresh. */
export function describeKv(name: string, makeKv: () => Promise<Kv>, features: KvFeatures): void {
  describe(`kv: ${name}`, () => {
    beforeEach(async () => {
      kv = await makeKv();
      key = `test:${randomUUID()}`;
    });
    afterEach(() => kv.close());

    describeValues();
    describeExpiry(features);
    describeConcurrency();
    describeMembers(features);
    if (features.isShared) describeSharing(makeKv);
  });
}

function describeValues(): void {
  describe('values', () => {
    test('what was set is there, the last value wins, another key is not touched', async () => {
      expect(await kv.get(key)).toBeNull();
      await kv.set(key, 'one', inMs(60_000));
      await kv.set(key, '', inMs(60_000));
      await kv.set(`${key}:other`, 'other', inMs(60_000));
      expect([await kv.get(key), await kv.get(`${key}:other`)]).toEqual(['', 'other']);
    });

    test('delete removes; repeating is harmless', async () => {
      await kv.set(key, 'one', inMs(60_000));
      await kv.delete(key);
      await kv.delete(key);
      expect(await kv.get(key)).toBeNull();
    });
  });
}

function describeExpiry({ shortMs, pass }: KvFeatures): void {
  describe('expiry', () => {
    test('a value is gone after its time, and setIfAbsent and increment begin anew', async () => {
      await kv.set(key, 'one', inMs(shortMs));
      await kv.set(`${key}:lock`, 'mine', inMs(shortMs));
      await kv.increment(`${key}:count`, inMs(shortMs));
      await kv.increment(`${key}:count`, inMs(shortMs));
      expect(await kv.get(key)).toBe('one');
      await pass(shortMs);
      expect(await kv.get(key)).toBeNull();
      expect(await kv.setIfAbsent(`${key}:lock`, 'yours', inMs(60_000))).toBe(true);
      expect(await kv.increment(`${key}:count`, inMs(60_000))).toBe(1);
    });

    test('a time that is over already leaves nothing', async () => {
      await kv.set(key, 'one', inMs(60_000));
      await kv.set(key, 'two', inMs(-1_000));
      expect(await kv.get(key)).toBeNull();
    });

    test('a time of more than 25 days ahead does not end at once', async () => {
      await kv.set(key, 'one', inMs(40 * day));
      await kv.setIfAbsent(`${key}:lock`, 'one', inMs(400 * day));
      await kv.increment(`${key}:count`, inMs(40 * day));
      await pass(30);
      expect([await kv.get(key), await kv.get(`${key}:lock`), await kv.get(`${key}:count`)]).toEqual([
        'one',
        'one',
        '1',
      ]);
    });

    test('later increments keep the time of the first', async () => {
      await kv.increment(key, inMs(shortMs));
      await kv.increment(key, inMs(60_000));
      await pass(shortMs);
      expect(await kv.get(key)).toBeNull();
    });

    test('many expired keys among live ones hide none of the live', async () => {
      const keys = Array.from({ length: 200 }, (_, index) => `${key}:${index}`);
      await Promise.all(keys.map((each, index) => kv.set(each, 'value', inMs(index % 2 === 0 ? shortMs : 60_000))));
      await pass(shortMs);
      await Promise.all(keys.map((each) => kv.set(`${each}:later`, 'value', inMs(60_000))));
      const values = await Promise.all(keys.map((each) => kv.get(each)));
      expect(values).toEqual(keys.map((_, index) => (index % 2 === 0 ? null : 'value')));
    });
  });
}

function describeConcurrency(): void {
  describe('concurrency', () => {
    test('of many concurrent setIfAbsent exactly one wins, and its value stays', async () => {
      const won = await Promise.all(
        Array.from({ length: 50 }, (_, index) => kv.setIfAbsent(key, `caller ${index}`, inMs(60_000))),
      );
      expect(won.filter(Boolean)).toHaveLength(1);
      expect(await kv.get(key)).toBe(`caller ${won.indexOf(true)}`);
    });

    test('concurrent increments lose none and give each number once', async () => {
      const values = await Promise.all(Array.from({ length: 100 }, () => kv.increment(key, inMs(60_000))));
      expect(values.toSorted((a, b) => a - b)).toEqual(Array.from({ length: 100 }, (_, index) => index + 1));
    });

    test('increment adds and takes away as much as it is told', async () => {
      const added = [20, -7, 0].map((by) => kv.increment(key, { by, ...inMs(60_000) }));
      expect(await Promise.all(added)).toEqual([20, 13, 13]);
    });
  });
}

function describeMembers({ shortMs, pass }: KvFeatures): void {
  describe('members', () => {
    const within = (most: number, ms = 60_000) => ({ most, ...inMs(ms) });

    test('so many are counted in, one more is not; who leaves makes room', async () => {
      expect(await kv.enter(key, 'one', within(2))).toBe(true);
      expect(await kv.enter(key, 'two', within(2))).toBe(true);
      expect(await kv.enter(key, 'three', within(2))).toBe(false);
      expect(await kv.enter(`${key}:other`, 'three', within(2))).toBe(true);
      await kv.leave(key, 'one');
      await kv.leave(key, 'one');
      expect(await kv.enter(key, 'three', within(2))).toBe(true);
      expect(await kv.enter(key, 'one', within(2))).toBe(false);
    });

    test('who enters again is counted once, and for longer', async () => {
      await kv.enter(key, 'one', within(1, shortMs));
      expect(await kv.enter(key, 'one', within(1))).toBe(true);
      await pass(shortMs);
      expect(await kv.enter(key, 'two', within(1))).toBe(false);
    });

    test('who neither leaves nor enters again is not counted after its time, whatever others do', async () => {
      await kv.enter(key, 'one', within(2, shortMs));
      await kv.enter(key, 'two', within(2));
      expect(await kv.enter(key, 'three', within(2))).toBe(false);
      await pass(shortMs);
      expect(await kv.enter(key, 'three', within(2))).toBe(true);
      expect(await kv.enter(key, 'four', within(2))).toBe(false);
    });

    test('of many at once exactly so many are let in, and deleting forgets them', async () => {
      const enter = () => Promise.all(Array.from({ length: 30 }, (_, index) => kv.enter(key, `${index}`, within(7))));
      expect((await enter()).filter(Boolean)).toHaveLength(7);
      await kv.delete(key);
      expect((await enter()).filter(Boolean)).toHaveLength(7);
    });
  });
}

function describeSharing(makeKv: () => Promise<Kv>): void {
  describe('several processes', () => {
    let other: Kv;
    beforeEach(async () => {
      other = await makeKv();
    });
    afterEach(() => other.close());

    test('see one value, one winner and one counter', async () => {
      await kv.set(key, 'one', inMs(60_000));
      expect(await other.get(key)).toBe('one');
      await other.delete(key);
      expect(await kv.get(key)).toBeNull();
      const won = await Promise.all(
        [kv, other, kv, other].map((each) => each.setIfAbsent(`${key}:lock`, 'mine', inMs(60_000))),
      );
      expect(won.filter(Boolean)).toHaveLength(1);
      const counts = await Promise.all(
        Array.from({ length: 40 }, (_, index) =>
          (index % 2 === 0 ? kv : other).increment(`${key}:count`, inMs(60_000)),
        ),
      );
      expect(counts.toSorted((a, b) => a - b)).toEqual(Array.from({ length: 40 }, (_, index) => index + 1));
      const entered = [kv, other, kv].map((each, at) => each.enter(`${key}:in`, `${at}`, { most: 2, ...inMs(60_000) }));
      expect((await Promise.all(entered)).filter(Boolean)).toHaveLength(2);
    });
  });
}
