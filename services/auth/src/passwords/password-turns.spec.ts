import { expect, test } from '@jest/globals';
import type { Problem } from '@parley/protocol';
import { PasswordTurns } from './password-turns.ts';

/** Comparisons that end when they are told to. */
function comparing(most?: number) {
  const turns = new PasswordTurns(most);
  const running: { readonly name: string; readonly end: () => void }[] = [];
  const refused: string[] = [];
  let mostRunning = 0;
  const add = (network: string, name: string) =>
    turns
      .run(network, name, async () => {
        await new Promise<void>((resolve) => {
          running.push({ name, end: resolve });
          mostRunning = Math.max(mostRunning, running.length);
        });
      })
      .catch(({ code }: Problem) => void refused.push(`${name} ${code}`));
  const settle = () => new Promise((resolve) => setImmediate(resolve));
  /** Ends `count` comparisons one by one and returns their names in order of start. */
  const order = async (count: number): Promise<string[]> => {
    const ended: string[] = [];
    await settle();
    for (let one = running.shift(); one && ended.length < count; one = running.shift()) {
      ended.push(one.name);
      one.end();
      await settle();
    }
    return ended;
  };
  return { add, order, settle, refused, mostRunning: () => mostRunning };
}

test('passwords of one network are compared one at a time, of all networks two', async () => {
  const { add, order, mostRunning } = comparing();
  for (let at = 0; at < 10; at += 1) void add('one', `a${at}`);
  for (let at = 0; at < 10; at += 1) void add('other', `b${at}`);
  for (let at = 0; at < 10; at += 1) void add('third', `c${at}`);
  expect(new Set(await order(30)).size).toBe(30);
  expect(mostRunning()).toBe(2);
});

test('an account is next but for one turn of each other account of its network, however many they send', async () => {
  const { add, order } = comparing();
  for (let at = 0; at < 70; at += 1) void add('one', `attacked ${at % 7}`);
  void add('one', 'right');
  expect((await order(8)).at(-1)).toBe('right');
});

test('beyond what can wait, the last of the network that sends most is refused', async () => {
  const { add, order, settle, refused } = comparing(5);
  for (let at = 0; at < 10; at += 1) void add('flood', `f${at}`);
  void add('other', 'right');
  void add('other', 'also right');
  await settle();
  expect(refused).toEqual(['f6', 'f7', 'f8', 'f9', 'f5'].map((name) => `${name} platform.unavailable`));
  expect((await order(9)).filter((name) => name.endsWith('right'))).toHaveLength(2);
});

test('a comparison that fails ends its turn', async () => {
  const turns = new PasswordTurns();
  await expect(turns.run('one', 'a', () => Promise.reject(new Error('broken hash')))).rejects.toThrow('broken hash');
  expect(await turns.run('one', 'a', () => Promise.resolve(true))).toBe(true);
});
