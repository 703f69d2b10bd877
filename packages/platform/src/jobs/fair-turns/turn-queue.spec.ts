import { expect, test } from '@jest/globals';
import type { Problem } from '@parley/protocol';
import { TurnQueue } from './turn-queue.ts';

const keyOf = (flow: string, person: string) => ({ flow, organisation: '', person });

/** Creates a queue that runs two acts at once, which end when the test says so. */
function acting(most?: number) {
  const queue = new TurnQueue({ all: 2 }, most);
  const running: { readonly name: string; readonly end: () => void }[] = [];
  const refused: string[] = [];
  let mostRunning = 0;
  const add = (flow: string, name: string) =>
    queue
      .run(keyOf(flow, name), async () => {
        await new Promise<void>((resolve) => {
          running.push({ name, end: resolve });
          mostRunning = Math.max(mostRunning, running.length);
        });
      })
      .catch(({ code }: Problem) => void refused.push(`${name} ${code}`));
  const settle = () => new Promise((resolve) => setImmediate(resolve));
  /** Ends `count` acts one by one and returns their names in the order of their start. */
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

test('a queue of two runs one act of a flow at a time, and two acts of all flows', async () => {
  const { add, order, mostRunning } = acting();
  for (let at = 0; at < 10; at += 1) void add('one', `a${at}`);
  for (let at = 0; at < 10; at += 1) void add('other', `b${at}`);
  for (let at = 0; at < 10; at += 1) void add('third', `c${at}`);
  expect(new Set(await order(30)).size).toBe(30);
  expect(mostRunning()).toBe(2);
});

test('gives a person’s turn after one turn of each other person of the flow, however many acts these send', async () => {
  const { add, order } = acting();
  for (let at = 0; at < 70; at += 1) void add('one', `attacked ${at % 7}`);
  void add('one', 'right');
  expect((await order(8)).at(-1)).toBe('right');
});

test('refuses the last act of the flow with the most acts if too many wait', async () => {
  const { add, order, settle, refused } = acting(5);
  for (let at = 0; at < 10; at += 1) void add('flood', `f${at}`);
  void add('other', 'right');
  void add('other', 'also right');
  await settle();
  expect(refused).toEqual(['f6', 'f7', 'f8', 'f9', 'f5'].map((name) => `${name} platform.unavailable`));
  expect((await order(9)).filter((name) => name.endsWith('right'))).toHaveLength(2);
});

test('a person who gives up takes no turn, and an act that fails gives its turn back', async () => {
  const queue = new TurnQueue({ all: 1 });
  const leaving = new AbortController();
  const run = (act: () => Promise<string>, signal?: AbortSignal) => queue.run(keyOf('a', 'p'), act, signal);
  const first = run(() => Promise.reject(new Error('broken')));
  const left = run(() => Promise.resolve('left'), leaving.signal);
  const last = run(() => Promise.resolve('last'));
  leaving.abort(new Error('gone'));
  await expect(left).rejects.toThrow('gone');
  await expect(first).rejects.toThrow('broken');
  expect([await last, queue.waitingCount]).toEqual(['last', 0]);
});
