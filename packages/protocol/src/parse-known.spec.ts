import { describe, expect, test } from '@jest/globals';
import { z } from 'zod';
import { parseKnown, safeParseKnown } from './parse-known.ts';

const person = z.strictObject({ name: z.string(), tags: z.array(z.strictObject({ id: z.string() })).optional() });
const shape = z.union([z.strictObject({ circle: z.number() }), z.strictObject({ square: z.number() })]);
const kind = z.discriminatedUnion('kind', [
  z.strictObject({ kind: z.literal('a'), one: z.string() }),
  z.strictObject({ kind: z.literal('b'), two: z.string() }),
]);

describe('ignores a field of a newer version', () => {
  test('ignores it at the top, in a list and in a record', () => {
    const sent = { name: 'Ines', isNew: true, tags: [{ id: '1' }, { id: '2', colour: 'red' }] };
    expect(parseKnown(person, sent)).toEqual({ name: 'Ines', tags: [{ id: '1' }, { id: '2' }] });
    expect(parseKnown(z.record(z.string(), person), { x: { name: 'X', y: 1 } })).toEqual({ x: { name: 'X' } });
    expect(sent.isNew).toBe(true);
  });

  test('ignores it in each member of a union', () => {
    expect(parseKnown(shape, { circle: 1, colour: 'red' })).toEqual({ circle: 1 });
    expect(parseKnown(shape, { square: 2, colour: 'red' })).toEqual({ square: 2 });
    expect(
      parseKnown(z.object({ shapes: z.array(shape.nullable()) }), { shapes: [null, { square: 1, x: 1 }] }),
    ).toEqual({ shapes: [null, { square: 1 }] });
    expect(parseKnown(kind, { kind: 'b', two: 'x', three: 'y' })).toEqual({ kind: 'b', two: 'x' });
  });

  test('ignores it beside a rule about known fields', () => {
    const even = person.refine(({ name }) => name !== '', 'name');
    expect(parseKnown(even, { name: 'A', more: 1 })).toEqual({ name: 'A' });
    expect(safeParseKnown(even, { name: '', more: 1 }).error?.issues[0]?.message).toBe('name');
  });
});

test.each([
  [{}, 'invalid_type'],
  [{ more: 1 }, 'invalid_type'],
  [{ name: 5, more: 1 }, 'invalid_type'],
  ['text', 'invalid_type'],
])('refuses %j, which lacks a required field', (sent, code) => {
  expect(safeParseKnown(person, sent).error?.issues.map((issue) => issue.code)).toContain(code);
  expect(() => parseKnown(person, sent)).toThrow(z.ZodError);
});
