import { expect, test } from '@jest/globals';
import { ImageQueue } from './image-queue.ts';

const never = new AbortController().signal;
const keyOf = (flow: string) => ({ flow, organisation: flow, person: flow });

test('one is in at a time, and a flow with many waiting delays another by one of them', async () => {
  const turns = new ImageQueue();
  const order: string[] = [];
  let inside = 0;
  const run = (flow: string, name: string) =>
    turns.run(keyOf(flow), never, async () => {
      expect((inside += 1)).toBe(1);
      order.push(name);
      await Promise.resolve();
      inside -= 1;
    });
  await Promise.all([run('a', 'a1'), run('a', 'a2'), run('a', 'a3'), run('b', 'b1')]);
  expect(order).toEqual(['a1', 'a2', 'b1', 'a3']);
});

test('who gives up takes no turn, and what fails gives its own back', async () => {
  const turns = new ImageQueue();
  const leaving = new AbortController();
  const first = turns.run(keyOf('a'), never, async () => Promise.reject(new Error('broken')));
  const left = turns.run(keyOf('a'), leaving.signal, async () => 'left');
  const last = turns.run(keyOf('a'), never, async () => 'last');
  leaving.abort(new Error('gone'));
  await expect(left).rejects.toThrow('gone');
  await expect(first).rejects.toThrow('broken');
  expect(await last).toBe('last');
});
