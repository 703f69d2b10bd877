import { fail } from '../errors.ts';
import { fieldsOf, integerOf, itemsOf, numberOf, typeName, types, Value } from './value.ts';

/**
 * Order-preserving keys: comparing two keys byte by byte gives MongoDB's order of the values, no key is the beginning
 * of another, so keys can be joined, and equal values (1 and 1.0) have the same key.
 */
export const tags = {
  minKey: 0x10,
  emptyArray: 0x14,
  null: 0x18,
  number: 0x20,
  string: 0x30,
  object: 0x40,
  array: 0x50,
  binData: 0x60,
  objectId: 0x70,
  bool: 0x80,
  date: 0x90,
  timestamp: 0xa0,
  regex: 0xb0,
  maxKey: 0xf0,
} as const;

const tagOfType: number[] = [];
for (const [type, tag] of [
  [types.double, tags.number],
  [types.int, tags.number],
  [types.long, tags.number],
  [types.string, tags.string],
  [types.object, tags.object],
  [types.array, tags.array],
  [types.binData, tags.binData],
  [types.objectId, tags.objectId],
  [types.bool, tags.bool],
  [types.date, tags.date],
  [types.timestamp, tags.timestamp],
  [types.regex, tags.regex],
  [types.null, tags.null],
  [types.undefined, tags.null],
  [types.minKey, tags.minKey],
  [types.maxKey, tags.maxKey],
] as const)
  tagOfType[type] = tag;

/** The place of a value's type in MongoDB's order of types. */
export function tagOf(value: Value): number {
  const tag = tagOfType[value.type];
  return tag ?? fail('BadValue', `this store does not compare values of BSON type ${typeName(value.type)}`);
}

let scratch = Buffer.allocUnsafe(4096);
let length = 0;

function reserve(count: number): void {
  if (length + count <= scratch.length) return;
  const grown = Buffer.allocUnsafe(Math.max(scratch.length * 2, length + count));
  scratch.copy(grown, 0, 0, length);
  scratch = grown;
}

function putNumber(value: Value): void {
  reserve(10);
  const double = numberOf(value);
  let rest = 0;
  if (value.type === types.long && !Number.isSafeInteger(double)) rest = Number(integerOf(value) - BigInt(double));
  if (Number.isNaN(double)) scratch.fill(0, length, length + 8);
  else {
    scratch.writeDoubleBE(double === 0 ? 0 : double, length);
    if (scratch[length]! & 0x80) for (let i = 0; i < 8; i++) scratch[length + i] = ~scratch[length + i]!;
    else scratch[length] = scratch[length]! | 0x80;
  }
  scratch.writeUInt16BE(0x8000 + rest, length + 8);
  length += 10;
}

/** Text ends with 0; a 0 or 1 inside it is escaped by 1. */
function putText(bytes: Buffer, start: number, end: number): void {
  reserve((end - start) * 2 + 1);
  for (let i = start; i < end; i++) {
    const byte = bytes[i]!;
    if (byte > 1) scratch[length++] = byte;
    else {
      scratch[length++] = 1;
      scratch[length++] = byte + 1;
    }
  }
  scratch[length++] = 0;
}

function putBytes(bytes: Buffer, start: number, end: number): void {
  reserve(end - start);
  bytes.copy(scratch, length, start, end);
  length += end - start;
}

function putInt64(value: Value, flip: number): void {
  reserve(8);
  for (let i = 0; i < 8; i++) scratch[length + i] = value.bytes[value.start + 7 - i]!;
  scratch[length] = scratch[length]! ^ flip;
  length += 8;
}

function putBinary(value: Value): void {
  reserve(4);
  scratch.writeUInt32BE(value.end - value.start - 5, length);
  length += 4;
  putBytes(value.bytes, value.start + 4, value.end);
}

function putBody(value: Value): void {
  switch (value.type) {
    case types.int:
    case types.double:
    case types.long:
      return putNumber(value);
    case types.string:
      return putText(value.bytes, value.start + 4, value.end - 1);
    case types.objectId:
    case types.bool:
      return putBytes(value.bytes, value.start, value.end);
    case types.date:
      return putInt64(value, 0x80);
    case types.timestamp:
      return putInt64(value, 0);
    case types.binData:
      return putBinary(value);
    case types.regex:
      return putBytes(value.bytes, value.start, value.end);
    case types.object:
      return putObject(value);
    case types.array:
      return putArray(value);
    default:
  }
}

function putTag(tag: number): void {
  reserve(1);
  scratch[length++] = tag;
}

function putObject(value: Value): void {
  for (const [name, field] of fieldsOf(value)) {
    putTag(tagOf(field));
    const bytes = Buffer.from(name, 'utf8');
    putText(bytes, 0, bytes.length);
    putBody(field);
  }
  putTag(0);
}

function putArray(value: Value): void {
  for (const item of itemsOf(value)) {
    putTag(tagOf(item));
    putBody(item);
  }
  putTag(0);
}

/** Stands in an index for a field that is an empty array. */
export const emptyArray = Symbol('empty array');

export type KeyPart = Value | undefined | typeof emptyArray;

function putPart(part: KeyPart): void {
  if (part === undefined) putTag(tags.null);
  else if (part === emptyArray) putTag(tags.emptyArray);
  else {
    putTag(tagOf(part));
    putBody(part);
  }
}

function taken(): Buffer {
  const key = Buffer.from(scratch.subarray(0, length));
  length = 0;
  return key;
}

/** The key of one value, ascending; a missing value counts as null. */
export function keyOf(part: KeyPart): Buffer {
  length = 0;
  putPart(part);
  return taken();
}

/** The joined key of several values; descending parts have their bytes inverted. */
export function compoundKey(parts: readonly KeyPart[], descending: readonly boolean[]): Buffer {
  length = 0;
  parts.forEach((part, index) => {
    const start = length;
    putPart(part);
    if (descending[index]) for (let i = start; i < length; i++) scratch[i] = ~scratch[i]!;
  });
  return taken();
}

/** The smallest byte string after everything that begins with this key; undefined if there is none. */
export function after(key: Buffer): Buffer | undefined {
  for (let i = key.length - 1; i >= 0; i--) {
    if (key[i] === 0xff) continue;
    const next = Buffer.from(key.subarray(0, i + 1));
    next[i] = next[i]! + 1;
    return next;
  }
  return undefined;
}

/** All bytes inverted. */
export function inverted(key: Buffer): Buffer {
  const result = Buffer.allocUnsafe(key.length);
  for (let i = 0; i < key.length; i++) result[i] = ~key[i]!;
  return result;
}
