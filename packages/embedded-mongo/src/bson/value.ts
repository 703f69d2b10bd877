import { fail } from '../errors.ts';

/** BSON type numbers as they stand on the wire. */
export const types = {
  double: 1,
  string: 2,
  object: 3,
  array: 4,
  binData: 5,
  undefined: 6,
  objectId: 7,
  bool: 8,
  date: 9,
  null: 10,
  regex: 11,
  dbPointer: 12,
  javascript: 13,
  symbol: 14,
  javascriptWithScope: 15,
  int: 16,
  timestamp: 17,
  long: 18,
  decimal: 19,
  maxKey: 127,
  minKey: 255,
} as const;

export type TypeName = keyof typeof types;

const typeNames = new Map<number, string>(Object.entries(types).map(([name, type]) => [type, name]));

/** MongoDB's alias of a BSON type. */
export function typeName(type: number): string {
  return typeNames.get(type) ?? `type ${type}`;
}

/** A view of one BSON value inside a buffer: nothing is decoded until somebody asks. */
export class Value {
  readonly type: number;
  readonly bytes: Buffer;
  readonly start: number;
  readonly end: number;

  constructor(type: number, bytes: Buffer, span: { start: number; end: number }) {
    this.type = type;
    this.bytes = bytes;
    this.start = span.start;
    this.end = span.end;
  }
}

/** Views a whole BSON document. */
export function documentOf(bytes: Uint8Array): Value {
  const buffer = Buffer.isBuffer(bytes) ? bytes : Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength);
  return new Value(types.object, buffer, { start: 0, end: buffer.length });
}

export function isNumber(value: Value): boolean {
  return value.type === types.int || value.type === types.double || value.type === types.long;
}

export function isObject(value: Value | undefined): value is Value & { readonly type: typeof types.object } {
  return value !== undefined && value.type === types.object;
}

export function isArray(value: Value | undefined): value is Value & { readonly type: typeof types.array } {
  return value !== undefined && value.type === types.array;
}

function int32At(bytes: Buffer, at: number): number {
  return bytes[at]! | (bytes[at + 1]! << 8) | (bytes[at + 2]! << 16) | (bytes[at + 3]! << 24);
}

function endOfCString(bytes: Buffer, at: number): number {
  let end = at;
  while (bytes[end] !== 0) {
    if (++end > bytes.length) fail('InvalidBSON', 'unterminated string in BSON');
  }
  return end;
}

/** Length in bytes of the value of a type that starts at a position. */
export function sizeOf(type: number, bytes: Buffer, at: number): number {
  switch (type) {
    case types.objectId:
      return 12;
    case types.string:
    case types.javascript:
    case types.symbol:
      return 4 + int32At(bytes, at);
    case types.double:
    case types.date:
    case types.timestamp:
    case types.long:
      return 8;
    case types.int:
      return 4;
    case types.bool:
      return 1;
    case types.object:
    case types.array:
    case types.javascriptWithScope:
      return int32At(bytes, at);
    case types.null:
    case types.undefined:
    case types.minKey:
    case types.maxKey:
      return 0;
    case types.binData:
      return 5 + int32At(bytes, at);
    case types.regex:
      return endOfCString(bytes, endOfCString(bytes, at) + 1) + 1 - at;
    case types.decimal:
      return 16;
    case types.dbPointer:
      return 16 + int32At(bytes, at);
    default:
      return fail('InvalidBSON', `unknown BSON type ${type}`);
  }
}

function sameName(bytes: Buffer, at: number, name: Buffer): boolean {
  for (let i = 0; i < name.length; i++) if (bytes[at + i] !== name[i]) return false;
  return bytes[at + name.length] === 0;
}

/** Finds a field of a document by the UTF-8 bytes of its name. */
export function findField(document: Value, name: Buffer): Value | undefined {
  const { bytes } = document;
  let at = document.start + 4;
  for (let type = bytes[at]!; type !== 0; type = bytes[at]!) {
    const start = endOfCString(bytes, at + 1) + 1;
    const end = start + sizeOf(type, bytes, start);
    if (start - at - 2 === name.length && sameName(bytes, at + 1, name)) return new Value(type, bytes, { start, end });
    at = end;
  }
  return undefined;
}

/** Finds a field of a document by its name. */
export function getField(document: Value, name: string): Value | undefined {
  return findField(document, Buffer.from(name, 'utf8'));
}

/** Name of a document's first field, empty if it has none. */
export function firstNameOf(document: Value): string {
  const at = document.start + 4;
  return document.bytes[at] === 0 ? '' : document.bytes.toString('utf8', at + 1, endOfCString(document.bytes, at + 1));
}

/** All fields of a document (or members of an array, named "0", "1", …) in their order. */
export function fieldsOf(document: Value): [name: string, value: Value][] {
  const fields: [string, Value][] = [];
  const { bytes } = document;
  let at = document.start + 4;
  for (let type = bytes[at]!; type !== 0; type = bytes[at]!) {
    const nameEnd = endOfCString(bytes, at + 1);
    const start = nameEnd + 1;
    const end = start + sizeOf(type, bytes, start);
    fields.push([bytes.toString('utf8', at + 1, nameEnd), new Value(type, bytes, { start, end })]);
    at = end;
  }
  return fields;
}

/** The members of an array. */
export function itemsOf(array: Value): Value[] {
  const items: Value[] = [];
  const { bytes } = array;
  let at = array.start + 4;
  for (let type = bytes[at]!; type !== 0; type = bytes[at]!) {
    const start = endOfCString(bytes, at + 1) + 1;
    const end = start + sizeOf(type, bytes, start);
    items.push(new Value(type, bytes, { start, end }));
    at = end;
  }
  return items;
}

/** Reads an int, long or double as a JavaScript number; anything else is NaN. */
export function numberOf(value: Value): number {
  switch (value.type) {
    case types.int:
      return int32At(value.bytes, value.start);
    case types.double:
      return value.bytes.readDoubleLE(value.start);
    case types.long:
      return Number(value.bytes.readBigInt64LE(value.start));
    default:
      return Number.NaN;
  }
}

/** Reads an int or a long exactly. */
export function integerOf(value: Value): bigint {
  return value.type === types.int ? BigInt(int32At(value.bytes, value.start)) : value.bytes.readBigInt64LE(value.start);
}

export function stringOf(value: Value): string {
  return value.bytes.toString('utf8', value.start + 4, value.end - 1);
}

export function dateOf(value: Value): number {
  return Number(value.bytes.readBigInt64LE(value.start));
}

/** Pattern and options of a regular expression. */
export function regexOf(value: Value): { pattern: string; options: string } {
  const middle = endOfCString(value.bytes, value.start);
  return {
    pattern: value.bytes.toString('utf8', value.start, middle),
    options: value.bytes.toString('utf8', middle + 1, value.end - 1),
  };
}

/** MongoDB's notion of truth: everything but false, zero, null and missing. */
export function isTruthy(value: Value | undefined): boolean {
  if (value === undefined || value.type === types.null || value.type === types.undefined) return false;
  if (value.type === types.bool) return value.bytes[value.start] !== 0;
  return !isNumber(value) || numberOf(value) !== 0;
}

/** The bytes of a document, without copying. */
export function bytesOf(document: Value): Buffer {
  return document.start === 0 && document.end === document.bytes.length
    ? document.bytes
    : document.bytes.subarray(document.start, document.end);
}
