import { expect, test } from '@jest/globals';
import { giveWay } from './give-way.ts';

/** How often work that gives way has its turn in this time, beside work of such pieces. */
async function turnsBeside(pieceMs: number, forMs: number): Promise<number> {
  let isOver = false;
  const busy = (): void => {
    for (const until = performance.now() + pieceMs; performance.now() < until;);
    if (!isOver) setImmediate(busy);
  };
  if (pieceMs > 0) setImmediate(busy);
  let turns = 0;
  for (const until = performance.now() + forMs; performance.now() < until; turns += 1) await giveWay();
  isOver = true;
  return turns;
}

test('work that gives way has few turns beside work of long pieces, and as many as it likes alone', async () => {
  const beside = await turnsBeside(20, 600);
  expect(beside).toBeGreaterThan(0);
  // Each takes a turn of the other work and a pause of twice that.
  expect(beside).toBeLessThanOrEqual(600 / 60 + 1);
  expect(await turnsBeside(0, 100)).toBeGreaterThan(beside);
});
