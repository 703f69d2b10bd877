import { expect, test } from '@jest/globals';
import { Memory } from './memory.ts';

test('doesn’t cache a read that ran beside a write, even if the write ended meanwhile', async () => {
  const memory = new Memory();
  const [write, read] = [Promise.withResolvers<void>(), Promise.withResolvers<string>()];
  const writing = memory.write(undefined, () => write.promise);
  const before = memory.read('key', () => read.promise);
  write.resolve();
  await writing;
  // The store responded before the write, and the response arrives after it.
  read.resolve('old');
  expect(await before).toBe('old');
  expect(await memory.read('key', async () => 'new')).toBe('new');
  expect(await memory.read('key', async () => 'newer')).toBe('new');
});
