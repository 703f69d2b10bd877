import { Double, Long } from 'bson';
import type { Doc } from './queries.ts';

/** A document, an update, and the document or error code that MongoDB documents. */
export type UpdateCase = {
  name: string;
  before: Doc;
  update: Doc;
  filter?: Doc;
  arrayFilters?: Doc[];
  after: Doc | number;
};

type More = { filter?: Doc; arrayFilters?: Doc[] };

const ok = (
  ...[name, before, update, after, more]: [name: string, before: Doc, update: Doc, after: Doc | number, more?: More]
): UpdateCase => ({ name, before, update, after, ...more });

export const updateCases: UpdateCase[] = [
  ok('$set replaces', { a: 1 }, { $set: { a: 2 } }, { a: 2 }),
  ok('$set makes the path', {}, { $set: { 'a.b.c': 1 } }, { a: { b: { c: 1 } } }),
  ok('$set in an array', { a: [1, 2] }, { $set: { 'a.1': 5 } }, { a: [1, 5] }),
  ok('$set beyond the end of an array', { a: [1] }, { $set: { 'a.3': 5 } }, { a: [1, null, null, 5] }),
  ok('$set of a position in a missing field makes a document', {}, { $set: { 'a.0': 1 } }, { a: { '0': 1 } }),
  ok('$set through a scalar', { a: 1 }, { $set: { 'a.b': 1 } }, 28),
  ok('$set through null', { a: null }, { $set: { 'a.b': 1 } }, 28),
  ok('$set of a name in an array', { a: [1] }, { $set: { 'a.b': 1 } }, 28),
  ok('$set of nothing', { a: 1 }, { $set: {} }, { a: 1 }),
  ok('new fields come in the order of their names', {}, { $set: { c: 1, a: 2, b: 3 } }, { a: 2, b: 3, c: 1 }),
  ok('$set of _id to itself', { a: 1 }, { $set: { _id: 0, a: 2 } }, { a: 2 }),
  ok('$set of _id to another', { a: 1 }, { $set: { _id: 5 } }, 66),
  ok('$unset of _id', { a: 1 }, { $unset: { _id: 1 } }, 66),
  ok('$unset removes', { a: 1, b: 2 }, { $unset: { a: '' } }, { b: 2 }),
  ok('$unset in an array leaves null', { a: [1, 2, 3] }, { $unset: { 'a.1': 1 } }, { a: [1, null, 3] }),
  ok('$unset of a missing path', { a: 1 }, { $unset: { 'b.c': 1 } }, { a: 1 }),
  ok('$unset through a scalar', { a: 1 }, { $unset: { 'a.c': 1 } }, { a: 1 }),
  ok('$inc adds', { a: 1 }, { $inc: { a: 2 } }, { a: 3 }),
  ok('$inc makes the field', {}, { $inc: { a: 2 } }, { a: 2 }),
  ok('$inc of an int by a double', { a: 1 }, { $inc: { a: 0.5 } }, { a: 1.5 }),
  ok('$inc widens an int to a long', { a: 2147483647 }, { $inc: { a: 1 } }, { a: Long.fromNumber(2147483648) }),
  ok('$inc keeps a double', { a: new Double(1) }, { $inc: { a: 1 } }, { a: new Double(2) }),
  ok('$inc keeps a long', { a: Long.fromNumber(1) }, { $inc: { a: 1 } }, { a: Long.fromNumber(2) }),
  ok('$inc over the end of long', { a: Long.MAX_VALUE }, { $inc: { a: Long.ONE } }, 2),
  ok('$inc of null', { a: null }, { $inc: { a: 1 } }, 14),
  ok('$inc of text', { a: 'x' }, { $inc: { a: 1 } }, 14),
  ok('$inc by text', { a: 1 }, { $inc: { a: 'x' } }, 14),
  ok('$min takes the smaller', { a: 5 }, { $min: { a: 3 } }, { a: 3 }),
  ok('$min keeps the smaller', { a: 2 }, { $min: { a: 3 } }, { a: 2 }),
  ok('$min makes the field', {}, { $min: { a: 3 } }, { a: 3 }),
  ok('$min compares across types', { a: 'x' }, { $min: { a: 3 } }, { a: 3 }),
  ok('$max takes the larger', { a: 5 }, { $max: { a: 7 } }, { a: 7 }),
  ok('$max with dates', { a: new Date(5) }, { $max: { a: new Date(4) } }, { a: new Date(5) }),
  ok('$max of equal numbers keeps the type', { a: 5 }, { $max: { a: new Double(5) } }, { a: 5 }),
  ok('$push appends', { a: [1] }, { $push: { a: 2 } }, { a: [1, 2] }),
  ok('$push makes the array', {}, { $push: { a: 2 } }, { a: [2] }),
  ok('$push of an array is one member', { a: [1] }, { $push: { a: [2, 3] } }, { a: [1, [2, 3]] }),
  ok('$push onto a scalar', { a: 1 }, { $push: { a: 2 } }, 2),
  ok('$push $each', { a: [1] }, { $push: { a: { $each: [2, 3] } } }, { a: [1, 2, 3] }),
  ok('$push $slice from the end', { a: [1, 2] }, { $push: { a: { $each: [3, 4], $slice: -3 } } }, { a: [2, 3, 4] }),
  ok('$push $slice from the start', { a: [1, 2] }, { $push: { a: { $each: [3], $slice: 2 } } }, { a: [1, 2] }),
  ok('$push $slice 0', { a: [1, 2] }, { $push: { a: { $each: [3], $slice: 0 } } }, { a: [] }),
  ok('$push $position', { a: [1, 2] }, { $push: { a: { $each: [9], $position: 1 } } }, { a: [1, 9, 2] }),
  ok(
    '$push negative $position',
    { a: [1, 2, 3] },
    { $push: { a: { $each: [9], $position: -1 } } },
    { a: [1, 2, 9, 3] },
  ),
  ok('$push $sort', { a: [3, 1] }, { $push: { a: { $each: [2], $sort: -1 } } }, { a: [3, 2, 1] }),
  ok(
    '$push $sort by a field, then $slice',
    { a: [{ x: 3 }, { x: 1 }] },
    { $push: { a: { $each: [{ x: 2 }], $sort: { x: 1 }, $slice: 2 } } },
    { a: [{ x: 1 }, { x: 2 }] },
  ),
  ok('$push with an unknown clause', { a: [] }, { $push: { a: { $each: [1], $what: 1 } } }, 2),
  ok('$push $each that is no array', { a: [] }, { $push: { a: { $each: 1 } } }, 2),
  ok('$addToSet adds what is new', { a: [1] }, { $addToSet: { a: 2 } }, { a: [1, 2] }),
  ok('$addToSet keeps what is there', { a: [1, 1] }, { $addToSet: { a: new Double(1) } }, { a: [1, 1] }),
  ok(
    '$addToSet minds the order of fields',
    { a: [{ x: 1, y: 2 }] },
    { $addToSet: { a: { y: 2, x: 1 } } },
    {
      a: [
        { x: 1, y: 2 },
        { y: 2, x: 1 },
      ],
    },
  ),
  ok('$addToSet $each', { a: [1] }, { $addToSet: { a: { $each: [1, 2, 2, 3] } } }, { a: [1, 2, 3] }),
  ok('$addToSet to a scalar', { a: 1 }, { $addToSet: { a: 2 } }, 2),
  ok('$pull of a value', { a: [1, 2, 1] }, { $pull: { a: 1 } }, { a: [2] }),
  ok('$pull by a condition', { a: [1, 5, 9] }, { $pull: { a: { $gte: 5 } } }, { a: [1] }),
  ok('$pull by $in', { a: [1, 5, 9] }, { $pull: { a: { $in: [1, 9] } } }, { a: [5] }),
  ok(
    '$pull of documents by a filter',
    { a: [{ x: 1, y: 1 }, { x: 2 }] },
    { $pull: { a: { x: 1 } } },
    { a: [{ x: 2 }] },
  ),
  ok(
    '$pull of documents by $elemMatch',
    { a: [{ r: [{ q: 1, b: 5 }] }, { r: [{ q: 2, b: 9 }] }] },
    { $pull: { a: { r: { $elemMatch: { q: 2, b: { $gte: 8 } } } } } },
    { a: [{ r: [{ q: 1, b: 5 }] }] },
  ),
  ok('$pull of an array takes the whole member', { a: [[1, 2], 1] }, { $pull: { a: [1, 2] } }, { a: [1] }),
  ok('$pull of a missing field', { b: 1 }, { $pull: { a: 1 } }, { b: 1 }),
  ok('$pull from a scalar', { a: 1 }, { $pull: { a: 1 } }, 2),
  ok('$pop from the end', { a: [1, 2, 3] }, { $pop: { a: 1 } }, { a: [1, 2] }),
  ok('$pop from the start', { a: [1, 2, 3] }, { $pop: { a: -1 } }, { a: [2, 3] }),
  ok('$pop by another number', { a: [1] }, { $pop: { a: 2 } }, 9),
  ok('$pop from a scalar', { a: 1 }, { $pop: { a: 1 } }, 14),
  ok(
    '$ takes the member that matched',
    { a: [1, 5, 9] },
    { $set: { 'a.$': 0 } },
    { a: [1, 0, 9] },
    { filter: { a: 5 } },
  ),
  ok('$ with a comparison', { a: [1, 5, 9] }, { $inc: { 'a.$': 1 } }, { a: [1, 6, 9] }, { filter: { a: { $gt: 2 } } }),
  ok(
    '$ in documents',
    { a: [{ x: 1 }, { x: 2, y: 0 }] },
    { $set: { 'a.$.y': 7 } },
    { a: [{ x: 1 }, { x: 2, y: 7 }] },
    { filter: { 'a.x': 2 } },
  ),
  ok(
    '$ with $elemMatch',
    {
      a: [
        { x: 1, y: 1 },
        { x: 1, y: 2 },
      ],
    },
    { $set: { 'a.$.z': 1 } },
    {
      a: [
        { x: 1, y: 1 },
        { x: 1, y: 2, z: 1 },
      ],
    },
    { filter: { a: { $elemMatch: { x: 1, y: 2 } } } },
  ),
  ok(
    '$ inside $and',
    { a: [{ x: 1 }, { x: 2 }] },
    { $set: { 'a.$.x': 9 } },
    { a: [{ x: 1 }, { x: 9 }] },
    { filter: { $and: [{ 'a.x': 2 }] } },
  ),
  ok('$ without a condition on the array', { a: [1] }, { $set: { 'a.$': 2 } }, 2),
  ok('$[] takes all members', { a: [1, 2] }, { $inc: { 'a.$[]': 10 } }, { a: [11, 12] }),
  ok(
    '$[] in documents',
    { a: [{ x: 1 }, { x: 2 }] },
    { $set: { 'a.$[].y': 0 } },
    {
      a: [
        { x: 1, y: 0 },
        { x: 2, y: 0 },
      ],
    },
  ),
  ok('$[] on a missing array', {}, { $set: { 'a.$[]': 0 } }, 2),
  ok('$[] on a scalar', { a: 1 }, { $set: { 'a.$[]': 0 } }, 2),
  ok(
    '$[id] takes what the filter allows',
    { a: [1, 5, 9] },
    { $set: { 'a.$[e]': 0 } },
    { a: [1, 0, 0] },
    { arrayFilters: [{ e: { $gte: 5 } }] },
  ),
  ok(
    '$[id] by a field',
    { a: [{ x: 1 }, { x: 2 }] },
    { $set: { 'a.$[e].y': 1 } },
    { a: [{ x: 1 }, { x: 2, y: 1 }] },
    { arrayFilters: [{ 'e.x': 2 }] },
  ),
  ok(
    '$[id] nested',
    { a: [{ b: [1, 2] }, { b: [2, 3] }] },
    { $inc: { 'a.$[].b.$[e]': 10 } },
    { a: [{ b: [1, 12] }, { b: [12, 3] }] },
    { arrayFilters: [{ e: 2 }] },
  ),
  ok('$[id] without a filter', { a: [1] }, { $set: { 'a.$[e]': 0 } }, 2),
  ok('a filter that nobody uses', { a: [1] }, { $set: { b: 0 } }, 9, { arrayFilters: [{ e: 1 }] }),
  ok('two changes of one path', { a: 1 }, { $set: { a: 1 }, $inc: { a: 1 } }, 40),
  ok('changes of a path and its parent', { a: {} }, { $set: { a: {}, 'a.b': 1 } }, 40),
  ok('an empty part in a path', {}, { $set: { 'a..b': 1 } }, 56),
  ok('a dollar in a path', {}, { $set: { 'a.$b': 1 } }, 52),
  ok('an unknown operator', { a: 1 }, { $mul: { a: 2 } }, 9),
  ok('$rename lies outside of the contract', { a: 1 }, { $rename: { a: 'b' } }, 9),
  ok('an operator without a document', { a: 1 }, { $set: 1 }, 9),
  ok(
    'several operators at once',
    { a: 1, b: [1], c: 3 },
    { $set: { d: 4 }, $inc: { a: 1 }, $push: { b: 2 }, $unset: { c: 1 } },
    { a: 2, b: [1, 2], d: 4 },
  ),
  ok('$setOnInsert does nothing to a document that is there', { a: 1 }, { $setOnInsert: { a: 5 } }, { a: 1 }),
];

/** A filter, an update, and the document that an upsert makes (or the error). */
export const upsertCases: { name: string; filter: Doc; update: Doc; after: Doc | number }[] = [
  {
    name: 'equalities become fields',
    filter: { _id: 1, a: 2 },
    update: { $set: { b: 3 } },
    after: { _id: 1, a: 2, b: 3 },
  },
  {
    name: '$eq and $and count as equalities',
    filter: { $and: [{ _id: 1 }, { a: { $eq: 2 } }] },
    update: { $set: { b: 3 } },
    after: { _id: 1, a: 2, b: 3 },
  },
  {
    name: 'other conditions do not',
    filter: { _id: 1, a: { $gt: 2 } },
    update: { $set: { b: 3 } },
    after: { _id: 1, b: 3 },
  },
  {
    name: 'dotted equalities make documents',
    filter: { _id: 1, 'a.b': 2 },
    update: { $set: { 'a.c': 3 } },
    after: { _id: 1, a: { b: 2, c: 3 } },
  },
  {
    name: '$setOnInsert applies',
    filter: { _id: 1 },
    update: { $set: { a: 1 }, $setOnInsert: { b: 2 } },
    after: { _id: 1, a: 1, b: 2 },
  },
  { name: '$inc starts at nothing', filter: { _id: 1 }, update: { $inc: { n: 5 } }, after: { _id: 1, n: 5 } },
  { name: '$push starts an array', filter: { _id: 1 }, update: { $push: { a: 1 } }, after: { _id: 1, a: [1] } },
  {
    name: 'an update of an equality field',
    filter: { _id: 1, n: 2 },
    update: { $inc: { n: 5 } },
    after: { _id: 1, n: 7 },
  },
  {
    name: 'a replacement keeps the _id of the filter',
    filter: { _id: 1, a: 2 },
    update: { b: 1 },
    after: { _id: 1, b: 1 },
  },
  { name: '_id in $set that differs from the filter', filter: { _id: 1 }, update: { $set: { _id: 2 } }, after: 66 },
];
