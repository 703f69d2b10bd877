import { Problem } from '@parley/protocol';
import type { Collection } from './collection.ts';
import type { Filter, Sort } from './query.ts';

/** The query of a paged route: `pageQuery` of the contracts. */
export type PageQuery = { readonly limit: number; readonly cursor?: string | undefined };
export type Page<Item> = { readonly items: Item[]; readonly nextCursor: string | null };

/** A field that is null only in rows that `where` leaves out. */
type SortableField<Row> = {
  [Field in keyof Row]-?: NonNullable<Row[Field]> extends string | number | Date ? Field : never;
}[keyof Row];

export type PageOptions<Row, Item, Read = Row> = {
  /** The order of the list; equal rows come in the order of their ids. */
  readonly by: { readonly [Field in SortableField<Row>]?: 1 | -1 };
  /**
   * True if few rows are equal in the fields of `by`: the list's index then needn't hold the id, which is the longest
   * part of a short index.
   */
  readonly hasFewTies?: boolean;
  readonly where?: Filter<Row>;
  /** The fields to read; missing: all. See `FieldPage`. */
  readonly fields?: readonly (keyof Row)[];
  /** Makes an item of a row; `cursor` returns the cursor of the page after the row. */
  readonly to: (row: Read, cursor: () => string) => Item;
};

/** Options for reading only some fields of a page's rows: `fields`, which has to include those of `by`, and the id. */
export type FieldPage<Row, Item, Field extends keyof Row> = PageOptions<
  Row,
  Item,
  Pick<Row, Field | Extract<keyof Row, '_id'>>
> & { readonly fields: readonly Field[] };

type Order = { readonly field: string; readonly direction: 1 | -1 };
type Readable<Row, Read> = {
  find(
    filter: Filter<Row>,
    options: { readonly sort: Sort<Row>; readonly limit: number; readonly fields?: readonly (keyof Row)[] },
  ): Promise<Read[]>;
};

/**
 * Returns one page of a list, and the cursor of the next one. The cursor holds the sort key of the last row, so rows
 * inserted or deleted meanwhile don't shift the next page. `platform.invalid-request` at `query.cursor` for a cursor of
 * another list.
 */
export async function pageOfRows<Row, Item, Read>(
  { rows, definition }: { readonly rows: Readable<Row, Read>; readonly definition: Collection },
  { limit, cursor }: PageQuery,
  { by, hasFewTies = false, where = {}, fields, to }: PageOptions<Row, Item, Read>,
): Promise<Page<Item>> {
  const order = orderOf(by);
  const list = { definition, order };
  const some: Readable<Row, Read> = fields
    ? { find: (filter, around) => rows.find(filter, { ...around, fields }) }
    : rows;
  const read = hasFewTies ? tiedReads(some, order) : some;
  const found = await rowsAfter(read, cursor === undefined ? null : readCursor(list, cursor), { order, where, limit });
  const shown = found.slice(0, limit);
  const last = found.length > limit ? shown.at(-1) : undefined;
  return {
    items: shown.map((row) => to(row, () => writeCursor(list, row))),
    nextCursor: last ? writeCursor(list, last) : null,
  };
}

function orderOf(by: Readonly<Record<string, 1 | -1 | undefined>>): Order[] {
  const order = Object.entries(by).flatMap(([field, direction]) => (direction ? [{ field, direction }] : []));
  return '_id' in by ? order : [...order, { field: '_id', direction: order.at(-1)?.direction ?? 1 }];
}

/**
 * Reads one row more than the page holds: first rows that equal the previous page's last row in all fields of the order
 * but the id, then rows that differ earlier. Each such stretch is one range of the list's index, which a single `$or`
 * would not be.
 */
async function rowsAfter<Row, Read>(
  rows: Readable<Row, Read>,
  last: readonly unknown[] | null,
  { order, where, limit }: { order: readonly Order[]; where: Filter<Row>; limit: number },
): Promise<Read[]> {
  const sort = Object.fromEntries(order.map(({ field, direction }) => [field, direction])) as Sort<Row>;
  if (!last) return rows.find(where, { sort, limit: limit + 1 });
  const found: Read[] = [];
  for (let same = order.length - 1; same >= 0 && found.length <= limit; same -= 1) {
    const { field, direction } = order[same]!;
    const like = Object.fromEntries(order.slice(0, same).map((other, at) => [other.field, last[at]]));
    const beyond = { ...rangeOf(where, field), [direction === 1 ? '$gt' : '$lt']: last[same] };
    const stretch = { ...where, ...like, [field]: beyond } as Filter<Row>;
    found.push(...(await rows.find(stretch, { sort, limit: limit + 1 - found.length })));
  }
  return found;
}

/** Returns the range to which `where` limits the sort field; empty if it doesn't. */
function rangeOf(where: object, field: string): object {
  const own: unknown = (where as Record<string, unknown>)[field];
  return own !== null && typeof own === 'object' && !(own instanceof Date) ? own : {};
}

/**
 * Reads rows in an order that ends with the id, although the index doesn't hold the id: the store sorts those that equal the
 * last row in all other fields of the order, and returns no more than the page has.
 */
function tiedReads<Row, Read>(rows: Readable<Row, Read>, order: readonly Order[]): Readable<Row, Read> {
  const ties = order.slice(0, -1);
  const sort = Object.fromEntries(ties.map(({ field, direction }) => [field, direction])) as Sort<Row>;
  return {
    async find(filter, { limit }) {
      const found = await rows.find(filter, { sort, limit });
      const last = found.at(-1);
      if (last === undefined || found.length < limit) return found.toSorted(inOrder(order));
      const like = Object.fromEntries(ties.map(({ field }) => [field, valueOf(last, field)]));
      const byId = { ...sort, [order.at(-1)!.field]: order.at(-1)!.direction } as Sort<Row>;
      const tied = await rows.find({ ...filter, ...like }, { sort: byId, limit });
      const before = found.filter((row) => inOrder(ties)(row, last) !== 0);
      return [...before, ...tied].toSorted(inOrder(order)).slice(0, limit);
    },
  };
}

const inOrder =
  (order: readonly Order[]) =>
  (one: unknown, other: unknown): number => {
    for (const { field, direction } of order) {
      const [left, right] = [valueOf(one, field), valueOf(other, field)];
      if (left < right) return -direction;
      if (left > right) return direction;
    }
    return 0;
  };
const valueOf = (row: unknown, field: string): string | number | Date =>
  (row as Record<string, string | number | Date>)[field]!;

type List = { readonly definition: Collection; readonly order: readonly Order[] };

const nameOf = ({ definition, order }: List): string =>
  [definition.name, ...order.map(({ field, direction }) => `${field}${direction}`)].join(' ');

function writeCursor(list: List, row: unknown): string {
  const values = list.order.map(({ field }) => {
    const value = (row as Record<string, unknown>)[field];
    return value instanceof Date ? { at: value.getTime() } : value;
  });
  return Buffer.from(JSON.stringify([nameOf(list), ...values])).toString('base64url');
}

function readCursor(list: List, cursor: string): unknown[] {
  const [name, ...values] = parseCursor(cursor);
  const dated = values.map((value) => {
    const at = (value as { at?: unknown } | null)?.at;
    return typeof at === 'number' ? new Date(at) : value;
  });
  const { shape } = list.definition.row;
  const fits = list.order.every(({ field }, index) => shape[field]!.safeParse(dated[index]).success);
  if (name !== nameOf(list) || values.length !== list.order.length || !fits) throw notOfThisList();
  return dated;
}

function parseCursor(cursor: string): unknown[] {
  try {
    const parsed: unknown = JSON.parse(Buffer.from(cursor, 'base64url').toString());
    return Array.isArray(parsed) ? parsed : [];
  } catch {
    return [];
  }
}

const notOfThisList = (): Problem =>
  new Problem('platform.invalid-request', { errors: [{ path: 'query.cursor', message: 'not a cursor of this list' }] });
