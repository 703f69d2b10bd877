import { mongo } from 'mongoose';

/** Limits the bytes of one command, because a command of 17 MB can't be encoded. The driver splits writes, too. */
const mostBytes = 8_000_000;
const mostItems = 1_000;

/** Splits items into parts that each fit in one command, in order. An item that is too large has a part of its own. */
export function inParts<Item extends object>(items: readonly Item[]): readonly (readonly Item[])[] {
  if (items.length < 2) return [items];
  const parts: Item[][] = [[]];
  let bytes = 0;
  for (const item of items) {
    const size = mongo.BSON.calculateObjectSize(item, { ignoreUndefined: false });
    const isFull = parts.at(-1)!.length === mostItems || bytes + size > mostBytes;
    if (isFull && bytes > 0) {
      parts.push([]);
      bytes = 0;
    }
    parts.at(-1)!.push(item);
    bytes += size;
  }
  return parts;
}
