import { expect, test } from '@jest/globals';
import { boundedPage, mostPageBytes } from './bounded-page.ts';

const list = (sizes: readonly number[]) => {
  const all = sizes.map((size, at) => ({ at, text: 'a'.repeat(size) }));
  const reads: number[] = [];
  const read = async (last: { at: number } | undefined, most: number) => {
    reads.push(most);
    return all.slice((last?.at ?? -1) + 1, (last?.at ?? -1) + 1 + most);
  };
  return { read, reads };
};

test('reads small items in two steps, however many there are', async () => {
  const { read, reads } = list(Array.from({ length: 200 }, () => 100));
  const { items, hasMore } = await boundedPage(50, read);
  expect([items.length, hasMore, reads]).toEqual([50, true, [4, 46]]);
});

test('returns an item that is larger than a page as a page of its own', async () => {
  const { read } = list([mostPageBytes * 2, 10]);
  expect(await boundedPage(50, read)).toMatchObject({ items: [{ at: 0 }], hasMore: true });
});

test('reads few large items at a time, and marks the last page as the last', async () => {
  const { read, reads } = list(Array.from({ length: 100 }, () => mostPageBytes / 5));
  expect((await boundedPage(50, read)).items).toHaveLength(4);
  expect(reads.reduce((sum, most) => sum + most, 0)).toBeLessThan(8);
  expect(await boundedPage(50, list([10, 10]).read)).toMatchObject({ hasMore: false });
});
