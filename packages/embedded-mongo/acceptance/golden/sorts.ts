import { Binary, Double, Long, MaxKey, MinKey, Timestamp } from 'bson';
import { oid, rows, type Doc } from './queries.ts';

/** Documents, a sort, and the order of positions that MongoDB documents. */
export const sortCases: { name: string; docs: Doc[]; sort: Record<string, 1 | -1>; order: number[] }[] = [
  {
    name: 'types in their order',
    docs: rows(
      new MaxKey(),
      /r/,
      new Timestamp({ t: 1, i: 1 }),
      new Date(0),
      true,
      oid,
      new Binary(Buffer.from('x')),
      { x: 1 },
      's',
      5,
      null,
      new MinKey(),
    ),
    sort: { a: 1 },
    order: [11, 10, 9, 8, 7, 6, 5, 4, 3, 2, 1, 0],
  },
  { name: 'missing equals null', docs: rows(1, undefined, null, 0), sort: { a: 1, _id: -1 }, order: [2, 1, 3, 0] },
  { name: 'ascending by the smallest member', docs: rows([5, 1], [2, 3], 4), sort: { a: 1 }, order: [0, 1, 2] },
  { name: 'descending by the largest member', docs: rows([5, 1], [2, 3], 4), sort: { a: -1 }, order: [0, 2, 1] },
  { name: 'an empty array before null', docs: rows(null, [], 1), sort: { a: 1 }, order: [1, 0, 2] },
  {
    name: 'two fields',
    docs: [
      { a: 1, b: 1 },
      { a: 2, b: 1 },
      { a: 1, b: 2 },
    ],
    sort: { a: -1, b: -1 },
    order: [1, 2, 0],
  },
  {
    name: 'numbers across types',
    docs: rows(Long.fromString('9007199254740993'), new Double(9007199254740992), 1.5, 1),
    sort: { a: -1 },
    order: [0, 1, 2, 3],
  },
  { name: 'strings by their bytes', docs: rows('b', 'B', 'a', 'é', 'z'), sort: { a: 1 }, order: [1, 2, 0, 4, 3] },
  {
    name: 'nested path',
    docs: [{ a: { b: 2 } }, { a: { b: 1 } }, { a: [{ b: 3 }, { b: 0 }] }],
    sort: { 'a.b': 1 },
    order: [2, 1, 0],
  },
  {
    name: 'documents by their fields',
    docs: rows({ x: 2 }, { x: 1, y: 1 }, { x: 1 }),
    sort: { a: 1 },
    order: [2, 1, 0],
  },
];
