/** The most bytes of a page of messages as JSON. A message that is larger gets a page of its own. */
export const mostPageBytes = 300_000;
/** The most rows to read before the size of any is known. */
const firstRead = 4;

/** Reads at most `most` items after `last` (undefined: from the first). */
type Read<Item> = (last: Item | undefined, most: number) => Promise<readonly Item[]>;

/**
 * Reads a page of at most `limit` items and `mostPageBytes`. The size of earlier items decides how many to read next,
 * so that memory holds little more than a page. `hasMore` is exact for a page that is cut by its size, and true for one
 * with `limit` items.
 */
export async function boundedPage<Item>(
  limit: number,
  read: Read<Item>,
): Promise<{ readonly items: Item[]; readonly hasMore: boolean }> {
  const items: Item[] = [];
  let bytes = 0;
  while (items.length < limit) {
    const wanted = items.length === 0 ? firstRead : Math.ceil(((mostPageBytes - bytes) * items.length) / bytes);
    const most = Math.min(wanted, limit - items.length);
    const some = await read(items.at(-1), most);
    for (const item of some) {
      bytes += Buffer.byteLength(JSON.stringify(item)) + 1;
      if (bytes > mostPageBytes && items.length > 0) return { items, hasMore: true };
      items.push(item);
    }
    if (some.length < most) return { items, hasMore: false };
  }
  return { items, hasMore: true };
}
