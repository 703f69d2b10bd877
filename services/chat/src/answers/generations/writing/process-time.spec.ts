import { afterEach, beforeEach, expect, jest, test } from '@jest/globals';
import { ProcessTime } from './process-time.ts';

let now = 0;
let said: string[] = [];
beforeEach(() => {
  said = [];
  jest.spyOn(performance, 'now').mockImplementation(() => now);
});
afterEach(() => void jest.restoreAllMocks());

const nextSlice = (): Promise<void> => new Promise((resolve) => void setImmediate(resolve));
/** Makes a person wait with this many words, which take `ms` each. */
function waits(time: ProcessTime, who: string, { words, ms }: { words: number; ms: number }): void {
  const [flow, organisation, person] = who.split('/') as [string, string, string];
  let left = words;
  time.wait({ flow, organisation, person }, (isOver) => {
    do {
      said.push(person);
      now += ms;
      left -= 1;
    } while (left > 0 && !isOver());
    return left > 0;
  });
}

test('words pass immediately while nobody waits, for a millisecond in one turn of the event loop', async () => {
  const time = new ProcessTime();
  expect(time.isFree()).toBe(true);
  now += 0.9;
  expect(time.isFree()).toBe(true);
  now += 0.2;
  expect(time.isFree()).toBe(false);
  await nextSlice();
  expect(time.isFree()).toBe(true);
});

test('new words never overtake waiting ones', async () => {
  const time = new ProcessTime();
  waits(time, 'a/o/p', { words: 1, ms: 1 });
  expect(time.isFree()).toBe(false);
  await nextSlice();
  expect([time.isFree(), said]).toEqual([true, ['p']]);
});

test('flows take turns of a quarter of a millisecond; within a flow organisations do, then people', async () => {
  const time = new ProcessTime();
  for (const who of ['a/o1/a1', 'a/o1/a2', 'a/o2/a3', 'b/o3/b1']) waits(time, who, { words: 4, ms: 0.125 });
  await nextSlice();
  expect(said.join(' ')).toBe('a1 a1 b1 b1 a3 a3 b1 b1');
  await nextSlice();
  expect(said.slice(8).join(' ')).toBe('a2 a2 a3 a3 a1 a1 a2 a2');
});

test('a slow word takes a whole slice, and the others pass in the next slice', async () => {
  const time = new ProcessTime();
  waits(time, 'a/o/slow', { words: 2, ms: 50 });
  waits(time, 'b/o/quick', { words: 1, ms: 0.1 });
  await nextSlice();
  expect(said).toEqual(['slow']);
  await nextSlice();
  expect(said).toEqual(['slow', 'quick', 'slow']);
});
