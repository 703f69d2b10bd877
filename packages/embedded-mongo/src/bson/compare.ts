import { keyOf, tagOf } from './key.ts';
import { isNumber, numberOf, types, type Value } from './value.ts';

function sameBytes(a: Value, b: Value): boolean {
  return a.end - a.start === b.end - b.start && a.bytes.compare(b.bytes, b.start, b.end, a.start, a.end) === 0;
}

/** Orders two values as MongoDB does, across types. */
export function compareValues(a: Value, b: Value): number {
  if (a.type === b.type) {
    if (a.type === types.string) return a.bytes.compare(b.bytes, b.start + 4, b.end - 1, a.start + 4, a.end - 1);
    if (a.type === types.objectId) return a.bytes.compare(b.bytes, b.start, b.end, a.start, a.end);
  }
  if (a.type !== types.long && b.type !== types.long && isNumber(a) && isNumber(b)) {
    const x = numberOf(a);
    const y = numberOf(b);
    if (x === y) return 0;
    if (x < y) return -1;
    if (x > y) return 1;
  }
  const order = tagOf(a) - tagOf(b);
  return order !== 0 ? order : keyOf(a).compare(keyOf(b));
}

/** Whether two values are equal for MongoDB: 1 equals 1.0, documents compare field by field in their order. */
export function equalValues(a: Value, b: Value): boolean {
  if (a.type === b.type) {
    if (sameBytes(a, b)) return true;
    if (a.type !== types.object && a.type !== types.array && a.type !== types.double) return false;
  }
  return tagOf(a) === tagOf(b) && compareValues(a, b) === 0;
}

/** Whether two values are the same to the byte, types included. */
export function identicalValues(a: Value, b: Value): boolean {
  return a.type === b.type && sameBytes(a, b);
}
