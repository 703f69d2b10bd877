import { z } from 'zod';
import { wireLimits } from './define-route.ts';

/** `?limit=&cursor=` of every list. A cursor is opaque and belongs to one list. */
export const pageQuery = z.strictObject({
  limit: z.coerce.number().int().min(1).max(wireLimits.pageSize).default(50),
  cursor: z.string().max(500).optional(),
});

/** `{ items, nextCursor }`; a null cursor ends the list. */
export const pageOf = <Item extends z.ZodType>(item: Item) =>
  z.strictObject({ items: z.array(item), nextCursor: z.string().nullable() });

/** ISO 8601 UTC with milliseconds. */
export const timestamp = z.iso.datetime({ precision: 3 });
