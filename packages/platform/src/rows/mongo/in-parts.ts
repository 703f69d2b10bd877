import { mongo } from 'mongoose';

/** Many rows go in several commands, as by the driver: one of 17 MB can't be written. */
const mostBytes = 8_000_000;
const mostItems = 1_000;

/** Parts what one command of the store could be too much for, in its order. */
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
