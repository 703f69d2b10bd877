import { describe, expect, test } from '@jest/globals';
import { Binary, Double, Long, MaxKey, MinKey, ObjectId, Timestamp, serialize } from 'bson';
import fc from 'fast-check';
import { compareValues } from './compare.ts';
import { after, compoundKey, inverted, keyOf } from './key.ts';
import { documentOf, getField, type Value } from './value.ts';

const valueFrom = (value: unknown): Value => getField(documentOf(serialize({ value })), 'value')!;
const keyFrom = (value: unknown): Buffer => keyOf(valueFrom(value));

const inOrder: unknown[] = [
  new MinKey(),
  null,
  NaN,
  -Infinity,
  Long.MIN_VALUE,
  -1.5,
  -1,
  0,
  0.5,
  1,
  Long.fromString('9007199254740992'),
  Long.fromString('9007199254740993'),
  Long.MAX_VALUE,
  Infinity,
  '',
  '\0',
  '\0a',
  '\x01',
  'a',
  'a\0',
  'a\0b',
  'a\x01',
  'ab',
  'b',
  'é',
  {},
  { a: 1 },
  { a: 1, b: 0 },
  { b: 1 },
  { a: 'x' },
  [],
  [1],
  [1, 2],
  [2],
  [[0]],
  new Binary(Buffer.from([])),
  new Binary(Buffer.from([9])),
  new Binary(Buffer.from([1, 1])),
  new ObjectId('000000000000000000000001'),
  new ObjectId('f00000000000000000000000'),
  false,
  true,
  new Date(-5),
  new Date(0),
  new Date(5),
  new Timestamp({ t: 1, i: 1 }),
  new Timestamp({ t: 0xf0000000, i: 1 }),
  /a/,
  /b/,
  new MaxKey(),
];

describe('order-preserving keys', () => {
  test.each(inOrder.slice(1).map((value, at) => [inOrder[at], value]))('%p comes before %p', (left, right) => {
    expect(keyFrom(left).compare(keyFrom(right))).toBeLessThan(0);
    expect(compareValues(valueFrom(left), valueFrom(right))).toBeLessThan(0);
  });

  test.each([
    [1, new Double(1)],
    [1, Long.ONE],
    [0, new Double(-0)],
    [{ a: 1 }, { a: new Double(1) }],
    [[1], [Long.ONE]],
  ])('%p and %p have one key', (left, right) => {
    expect(keyFrom(left)).toEqual(keyFrom(right));
  });

  const anything = fc.oneof(
    fc.double(),
    fc.integer(),
    fc.string(),
    fc.boolean(),
    fc.constant(null),
    fc.array(fc.integer(), { maxLength: 3 }),
    fc.dictionary(fc.constantFrom('a', 'b'), fc.string(), { maxKeys: 2 }),
  );

  test('the order of doubles and of text is kept', () => {
    fc.assert(
      fc.property(
        fc.double({ noNaN: true }),
        fc.double({ noNaN: true }),
        (a, b) =>
          Math.sign(keyFrom(new Double(a)).compare(keyFrom(new Double(b)))) === Math.sign(a - b) ||
          !Number.isFinite(a - b),
      ),
    );
    fc.assert(
      fc.property(
        fc.string({ unit: 'binary' }),
        fc.string({ unit: 'binary' }),
        (a, b) => Math.sign(keyFrom(a).compare(keyFrom(b))) === Math.sign(Buffer.from(a).compare(Buffer.from(b))),
      ),
    );
  });

  test('no key is the beginning of another', () => {
    fc.assert(
      fc.property(anything, anything, (a, b) => {
        const [x, y] = [keyFrom(a), keyFrom(b)];
        return x.equals(y) || !(x.length < y.length && y.subarray(0, x.length).equals(x));
      }),
    );
  });

  test('joined keys compare part by part, descending parts the other way round', () => {
    const descending = [false, true];
    fc.assert(
      fc.property(anything, anything, anything, anything, (a, b, c, d) => {
        const [left, right] = [
          compoundKey([valueFrom(a), valueFrom(b)], descending),
          compoundKey([valueFrom(c), valueFrom(d)], descending),
        ];
        const expected = keyFrom(a).compare(keyFrom(c)) || keyFrom(d).compare(keyFrom(b));
        return Math.sign(left.compare(right)) === Math.sign(expected);
      }),
    );
  });

  test('the key after a prefix is above everything that begins with it', () => {
    fc.assert(
      fc.property(fc.uint8Array({ minLength: 1, maxLength: 6 }), fc.uint8Array({ maxLength: 6 }), (prefix, rest) => {
        const next = after(Buffer.from(prefix));
        return next === undefined
          ? prefix.every((byte) => byte === 255)
          : next.compare(Buffer.concat([prefix, rest])) > 0 && next.compare(Buffer.from(prefix)) > 0;
      }),
    );
    expect(inverted(Buffer.from([0, 255, 1]))).toEqual(Buffer.from([255, 0, 254]));
  });
});
