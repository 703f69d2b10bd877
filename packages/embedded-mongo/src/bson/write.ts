import { DocNode, ListNode } from './node.ts';
import { types, Value } from './value.ts';

/** What can be written as BSON: whole numbers become ints, bigints longs, dates dates. */
export type Encodable =
  | null
  | undefined
  | boolean
  | number
  | bigint
  | string
  | Date
  | Value
  | DocNode
  | ListNode
  | Encodable[]
  | { [name: string]: Encodable };

const indexNames = Array.from({ length: 1000 }, (_, index) => String(index));

/** Name of an array member. */
export function indexName(index: number): string {
  return indexNames[index] ?? String(index);
}

/** Appends BSON to a growing buffer. */
export class BsonWriter {
  private bytes: Buffer;
  private at = 0;

  constructor(capacity = 512) {
    this.bytes = Buffer.allocUnsafe(capacity);
  }

  /** What has been written so far. */
  finish(): Buffer {
    return this.bytes.subarray(0, this.at);
  }

  private reserve(count: number): void {
    if (this.at + count <= this.bytes.length) return;
    const grown = Buffer.allocUnsafe(Math.max(this.bytes.length * 2, this.at + count));
    this.bytes.copy(grown, 0, 0, this.at);
    this.bytes = grown;
  }

  /** Starts a document; the result goes to {@link end}. */
  begin(): number {
    this.reserve(5);
    this.at += 4;
    return this.at - 4;
  }

  /** Starts a document or array under a name; the result goes to {@link end}. */
  open(name: string, type: number): number {
    this.name(type, name);
    return this.begin();
  }

  end(start: number): void {
    this.reserve(1);
    this.bytes[this.at++] = 0;
    this.bytes.writeInt32LE(this.at - start, start);
  }

  private name(type: number, name: string): void {
    this.reserve(name.length * 3 + 2);
    this.bytes[this.at++] = type;
    this.at += this.bytes.write(name, this.at, 'utf8');
    this.bytes[this.at++] = 0;
  }

  /** Copies a value under a name. */
  raw(name: string, value: Value): void {
    this.name(value.type, name);
    this.copy(value.bytes, value.start, value.end);
  }

  /** Copies bytes as they are. */
  copy(bytes: Buffer, start: number, end: number): void {
    this.reserve(end - start);
    bytes.copy(this.bytes, this.at, start, end);
    this.at += end - start;
  }

  private number(name: string, value: number): void {
    if (Number.isInteger(value) && value >= -0x80000000 && value <= 0x7fffffff && !Object.is(value, -0)) {
      this.name(types.int, name);
      this.reserve(4);
      this.at = this.bytes.writeInt32LE(value, this.at);
    } else {
      this.name(types.double, name);
      this.reserve(8);
      this.at = this.bytes.writeDoubleLE(value, this.at);
    }
  }

  private int64(name: string, value: bigint, type: number): void {
    this.name(type, name);
    this.reserve(8);
    this.at = this.bytes.writeBigInt64LE(value, this.at);
  }

  private text(name: string, value: string): void {
    this.name(types.string, name);
    const length = Buffer.byteLength(value, 'utf8');
    this.reserve(length + 5);
    this.bytes.writeInt32LE(length + 1, this.at);
    this.bytes.write(value, this.at + 4, 'utf8');
    this.at += length + 5;
    this.bytes[this.at - 1] = 0;
  }

  /** Writes any encodable value; undefined is left out. */
  value(name: string, value: Encodable): void {
    switch (typeof value) {
      case 'undefined':
        return;
      case 'number':
        return this.number(name, value);
      case 'bigint':
        return this.int64(name, value, types.long);
      case 'string':
        return this.text(name, value);
      case 'boolean':
        this.name(types.bool, name);
        this.reserve(1);
        this.bytes[this.at++] = value ? 1 : 0;
        return;
      default:
        if (value === null) return this.name(types.null, name);
        if (value instanceof Value) return this.raw(name, value);
        if (value instanceof Date) return this.int64(name, BigInt(value.getTime()), types.date);
        return this.container(name, value);
    }
  }

  private container(name: string, value: DocNode | ListNode | Encodable[] | { [name: string]: Encodable }): void {
    const isList = Array.isArray(value) || value instanceof ListNode;
    this.name(isList ? types.array : types.object, name);
    const start = this.begin();
    this.members(value);
    this.end(start);
  }

  /** Writes the fields of an object or list. */
  members(value: DocNode | ListNode | Encodable[] | { [name: string]: Encodable }): void {
    if (value instanceof DocNode) for (const [name, field] of value.fields) this.value(name, field);
    else if (value instanceof ListNode) value.items.forEach((item, index) => this.value(indexName(index), item));
    else if (Array.isArray(value)) value.forEach((item, index) => this.value(indexName(index), item));
    else for (const name of Object.keys(value)) this.value(name, value[name]);
  }
}

/** Writes an object as a BSON document. */
export function encodeDocument(value: DocNode | { [name: string]: Encodable }, capacity = 512): Buffer {
  const writer = new BsonWriter(capacity);
  const start = writer.begin();
  writer.members(value);
  writer.end(start);
  return writer.finish();
}

/** Makes a BSON value out of an encodable one. */
export function valueOf(value: Exclude<Encodable, undefined>): Value {
  if (value instanceof Value) return value;
  const bytes = encodeDocument({ '': value }, 64);
  return new Value(bytes[4]!, bytes, { start: 6, end: bytes.length - 1 });
}

/** A double, even when the number is whole. */
export function doubleOf(value: number): Value {
  const bytes = Buffer.allocUnsafe(8);
  bytes.writeDoubleLE(value);
  return new Value(types.double, bytes, { start: 0, end: 8 });
}

export const nullValue = valueOf(null);
