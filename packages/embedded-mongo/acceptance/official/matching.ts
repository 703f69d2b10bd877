import { EJSON, Long } from 'bson';
import type { Doc } from './spec-types.ts';

/** A result that differs from what the file expects: a wrong answer. */
export class Mismatch extends Error {}

const show = (value: unknown): string =>
  value === undefined ? 'nothing' : EJSON.stringify({ value }, { relaxed: true }).slice(9, 400);

function isDoc(value: unknown): value is Doc {
  return (
    typeof value === 'object' &&
    value !== null &&
    !Array.isArray(value) &&
    !('_bsontype' in value) &&
    !(value instanceof Date)
  );
}

function plain(value: unknown): unknown {
  if (typeof value === 'bigint') return Number(value);
  if (Long.isLong(value)) return value.toNumber();
  return value;
}

const typeChecks: Record<string, (value: unknown) => boolean> = {
  int: (value) => Number.isInteger(plain(value)),
  long: (value) => Number.isInteger(plain(value)),
  double: (value) => typeof value === 'number',
  string: (value) => typeof value === 'string',
  object: isDoc,
  array: Array.isArray,
  bool: (value) => typeof value === 'boolean',
  objectId: (value) =>
    typeof value === 'object' && value !== null && '_bsontype' in value && value._bsontype === 'ObjectId',
};

type MatchOptions = { isRoot?: boolean; isLenient?: boolean };

function matchOperator([operator, operand]: [string, unknown], actual: unknown, options: MatchOptions): void {
  if (operator === '$$exists') {
    if ((actual !== undefined) !== operand)
      throw new Mismatch(`expected ${operand === true ? 'a value' : 'none'}, got ${show(actual)}`);
  } else if (operator === '$$unsetOrMatches') {
    if (actual !== undefined && actual !== null) match(operand, actual, options);
  } else if (operator === '$$type') {
    const names = Array.isArray(operand) ? operand : [operand];
    if (!names.some((name) => typeChecks[String(name)]?.(actual)))
      throw new Mismatch(`expected type ${show(operand)}, got ${show(actual)}`);
  } else throw new Error(`unknown special operator ${operator}`);
}

/** Compares a result with what the file expects; documents at the root may have further fields. */
export function match(expected: unknown, actual: unknown, options: MatchOptions = {}): void {
  if (isDoc(expected)) {
    const keys = Object.keys(expected);
    if (keys.length === 1 && keys[0]!.startsWith('$$'))
      return matchOperator([keys[0]!, expected[keys[0]!]], actual, options);
    if (!isDoc(actual)) throw new Mismatch(`expected ${show(expected)}, got ${show(actual)}`);
    for (const key of keys) {
      if (options.isLenient && options.isRoot && !(key in actual)) continue;
      match(expected[key], actual[key], { isLenient: options.isLenient });
    }
    const extra = Object.keys(actual).find((key) => !(key in expected) && actual[key] !== undefined);
    if (extra !== undefined && !options.isRoot)
      throw new Mismatch(`unexpected field ${extra} in ${show(actual)}, expected ${show(expected)}`);
    return;
  }
  if (Array.isArray(expected)) {
    if (!Array.isArray(actual) || actual.length !== expected.length)
      throw new Mismatch(`expected ${show(expected)}, got ${show(actual)}`);
    expected.forEach((item, at) =>
      match(item, actual[at], {
        isRoot: options.isRoot === true && options.isLenient !== true,
        isLenient: options.isLenient,
      }),
    );
    return;
  }
  if (show(plain(expected)) !== show(plain(actual)) || (expected === undefined) !== (actual === undefined))
    throw new Mismatch(`expected ${show(expected)}, got ${show(actual)}`);
}

/** Compares the documents of a collection exactly, order of fields aside. */
export function matchDocuments(expected: Doc[], actual: Doc[], where: string): void {
  try {
    match(expected, actual);
  } catch (error) {
    if (error instanceof Mismatch) throw new Mismatch(`content of ${where}: ${error.message}`);
    throw error;
  }
}
