import { beforeEach, expect, test } from '@jest/globals';
import { newId } from '@parley/platform/ids';
import { MemoryKv } from '@parley/platform/kv';
import { holderOf, SignsOfLife, type InHand } from './signs-of-life.ts';

const id = newId('generation');
const held = { _id: id, leaseHolder: holderOf('other', 0) };
let kv: MemoryKv;
let ms = 0;
let isAway = false;
let looking: SignsOfLife;
let inHand: InHand;
let other: SignsOfLife;

class LossyKv extends MemoryKv {
  override get(key: string): Promise<string | null> {
    return isAway ? Promise.reject(new Error('Away.')) : super.get(key);
  }
  override set(...args: Parameters<MemoryKv['set']>): Promise<void> {
    return isAway ? Promise.reject(new Error('Away.')) : super.set(...args);
  }
}

beforeEach(() => {
  kv = new LossyKv();
  ms = 0;
  isAway = false;
  looking = new SignsOfLife({ kv, processMark: 'mine', now: () => ms });
  inHand = { held: [id], isClaiming: false };
  other = new SignsOfLife({ kv, processMark: 'other' });
  other.add(() => inHand);
});
/** Returns the sign after each second, while the other process gives signs of life, or gives none. */
async function afterSeconds(count: number, { isAlive }: { isAlive: boolean }): Promise<string[]> {
  const signs: string[] = [];
  for (let second = 0; second < count; second += 1) {
    if (isAlive) await other.beat();
    await looking.look([held.leaseHolder]);
    signs.push(looking.of(held));
    ms += 1_000;
  }
  return signs;
}

test('a process that reports an answer each second is alive, however long its lease has been expired', async () => {
  expect(await afterSeconds(3, { isAlive: true })).toEqual(['unknown', 'alive', 'alive']);
  ms += 0;
  expect((await afterSeconds(100, { isAlive: true })).at(-1)).toBe('alive');
});

test('a process without a new sign for five seconds is dead, also if it never gave a sign', async () => {
  await other.beat();
  const unheard = ['unknown', 'unknown', 'unknown', 'unknown', 'unknown', 'dead'];
  expect(await afterSeconds(6, { isAlive: false })).toEqual(unheard);
  const never = { _id: id, leaseHolder: holderOf('of an earlier version', 0) };
  for (let second = 0; second < 6; second += 1) {
    await looking.look([never.leaseHolder]);
    ms += 1_000;
  }
  expect(looking.of(never)).toBe('dead');
});

test('a living process without the answer counts as dead for it, unless it may be claiming the answer', async () => {
  inHand = { held: [], isClaiming: true };
  expect(await afterSeconds(2, { isAlive: true })).toEqual(['unknown', 'unknown']);
  inHand = { held: [], isClaiming: false };
  expect((await afterSeconds(1, { isAlive: true })).at(-1)).toBe('dead');
});

test('signs are unknown while the store of signs is unavailable, and five seconds of looking begin again', async () => {
  await afterSeconds(4, { isAlive: false });
  isAway = true;
  expect(new Set(await afterSeconds(70, { isAlive: true }))).toEqual(new Set(['unknown']));
  isAway = false;
  expect((await afterSeconds(5, { isAlive: false })).at(-1)).toBe('unknown');
  expect((await afterSeconds(1, { isAlive: false })).at(-1)).toBe('dead');
});

test('no process counts as dead because the store of signs lost its data', async () => {
  await afterSeconds(3, { isAlive: true });
  await kv.close();
  expect(await afterSeconds(4, { isAlive: false })).toEqual(['unknown', 'unknown', 'unknown', 'unknown']);
  expect((await afterSeconds(1, { isAlive: true })).at(-1)).toBe('alive');
});

test('concludes nothing after a break between two looks', async () => {
  await afterSeconds(2, { isAlive: true });
  ms += 30_000;
  expect(looking.of(held)).toBe('unknown');
  expect((await afterSeconds(1, { isAlive: false })).at(-1)).toBe('unknown');
});

test('knows without the store of signs which answers this process holds', async () => {
  isAway = true;
  looking.add(() => ({ held: [id], isClaiming: false }));
  expect(looking.of({ _id: id, leaseHolder: holderOf('mine', 3) })).toBe('alive');
  expect(looking.of({ _id: newId('generation'), leaseHolder: holderOf('mine', 3) })).toBe('dead');
});

test('treats an unreadable sign as a sign of life', async () => {
  for (const beat of ['{"beat":1,"inHand":{}}', 'beat 2', '{"beat":3}']) {
    await kv.set('chat:alive:other', beat, { expiresAt: new Date(Date.now() + 60_000) });
    await afterSeconds(1, { isAlive: false });
  }
  expect(looking.of(held)).toBe('unknown');
});

test('a process that ends removes its sign', async () => {
  await other.beat();
  await other.stop();
  expect(await kv.get('chat:alive:other')).toBeNull();
});
