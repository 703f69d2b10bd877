import { describe, expect, test } from '@jest/globals';
import { documentOf } from '../bson/value.ts';
import { encodeDocument, type Encodable } from '../bson/write.ts';
import type { Collection } from '../storage/catalog.ts';
import type { Index } from '../storage/index-spec.ts';
import { parseFilter } from './parse-filter.ts';
import { pathOf } from './path.ts';
import { choosePlan } from './planner.ts';

const indexOn = (...fields: string[]): Index => ({
  id: fields[0] === '_id' ? 0 : 1,
  name: fields.join(),
  paths: fields.map(pathOf),
  descending: fields.map(() => false),
  unique: fields[0] === '_id',
  sparse: false,
  partial: undefined,
  expireAfterSeconds: undefined,
  multikey: 0,
  spec: documentOf(encodeDocument({})),
  since: 0,
});

type Asked = { readonly filter: { [field: string]: Encodable }; readonly limit?: number; readonly sortBy?: string };

/** Chooses among indexes with the given row counts. Returns the chosen index and how many rows were counted. */
function plan(rows: Readonly<Record<string, number>>, { filter, limit = 0, sortBy }: Asked) {
  let counted = 0;
  const { index } = choosePlan({
    collection: { indexes: Object.keys(rows).map((name) => indexOn(...name.split(','))) } as unknown as Collection,
    filter: parseFilter(documentOf(encodeDocument(filter))),
    sort: sortBy === undefined ? [] : [{ path: pathOf(sortBy), descending: false }],
    limit,
    version: Number.POSITIVE_INFINITY,
    estimate: ({ name }, _ranges, cap) => {
      const count = Math.min(rows[name]!, cap, 2_000);
      counted += count;
      return count;
    },
  });
  return { chosen: index?.name, counted };
}

describe('the choice of an index', () => {
  test('counts the others no further than the narrowest one costs', () => {
    const { chosen, counted } = plan({ a: 700, 'b,c': 3, b: 800 }, { filter: { a: 1, b: 1, c: 1 } });
    expect(chosen).toBe('b,c');
    expect(counted).toBeLessThan(100);
  });

  test('counts no rows beyond the limit where the index alone tells what matches', () => {
    const { chosen, counted } = plan({ a: 900, 'a,b': 1_000 }, { filter: { a: 1 }, limit: 1 });
    expect({ chosen, counted }).toEqual({ chosen: 'a', counted: 2 });
  });

  test('counts as far as it takes where all cost much', () => {
    expect(plan({ a: 700, b: 600, c: 900 }, { filter: { a: 1, b: 1, c: 1 } }).chosen).toBe('b');
  });

  test('takes the first of those that cost the same, and one that sorts where that is cheaper', () => {
    expect(plan({ a: 5, b: 5 }, { filter: { a: 1, b: 1 } }).chosen).toBe('a');
    expect(plan({ a: 500, b: 500 }, { filter: { a: 1, b: 1 } }).chosen).toBe('a');
    expect(plan({ a: 900, b: 1_000 }, { filter: { a: 1 }, limit: 10, sortBy: 'b' }).chosen).toBe('b');
    expect(plan({ a: 20, b: 1_000 }, { filter: { a: 1 }, limit: 10, sortBy: 'b' }).chosen).toBe('a');
  });
});
