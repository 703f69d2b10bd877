import type { Filter, Sort } from './query.ts';
import type { ScopedRows } from './scoped-rows.ts';

const pageSize = 200;

/** Yields all rows in the order of their ids, with one page in memory. */
export async function* eachRow<Row extends { readonly _id: string }, Read extends { readonly _id: string }>(
  rows: ScopedRows<Row, Read>,
): AsyncGenerator<Read> {
  for (let after = ''; ;) {
    const filter = { _id: { $gt: after } } as unknown as Filter<Row>;
    const page: readonly Read[] = await rows.find(filter, {
      sort: { _id: 1 } as unknown as Sort<Row>,
      limit: pageSize,
    });
    yield* page;
    const last = page.at(-1);
    if (!last || page.length < pageSize) return;
    after = last._id;
  }
}
