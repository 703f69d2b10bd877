import { after, keyOf, tagOf, tags } from '../bson/key.ts';
import { isArray, isNumber, numberOf, types, type Value } from '../bson/value.ts';
import { doubleOf, valueOf } from '../bson/write.ts';
import type { Filter, Pattern, Test } from './filter.ts';
import { pathOf, type Path } from './path.ts';

/** A half-open piece of the order of keys; no upper end means up to the last key. */
export type Interval = {
  lo: Buffer;
  hi: Buffer | undefined;
  /** Set if it holds exactly one value. */ point: Buffer | undefined;
};

/** Where the values of one field can lie, and which conditions that expresses completely. */
export type Bounds = { intervals: Interval[]; exact: Filter[] };

const minusInfinity = keyOf(doubleOf(Number.NEGATIVE_INFINITY));
const nullKey = keyOf(valueOf(null));

function point(key: Buffer): Interval {
  return { lo: key, hi: after(key), point: key };
}

function typeRange(tag: number): Interval {
  return { lo: Buffer.from([tag]), hi: Buffer.from([tag + 1]), point: undefined };
}

function lower(a: Buffer | undefined, b: Buffer | undefined): Buffer | undefined {
  if (a === undefined || b === undefined) return a ?? b;
  return a.compare(b) <= 0 ? a : b;
}

/** Sorts intervals and joins those that overlap. */
function union(intervals: Interval[]): Interval[] {
  const sorted = intervals.toSorted((a, b) => a.lo.compare(b.lo));
  const result: Interval[] = [];
  for (const next of sorted) {
    const last = result.at(-1);
    if (last === undefined || (last.hi !== undefined && next.lo.compare(last.hi) >= 0)) result.push(next);
    else if (last.point === undefined || next.point === undefined || !last.point.equals(next.point)) {
      const hi =
        last.hi === undefined || next.hi === undefined
          ? undefined
          : lower(last.hi, next.hi) === last.hi
            ? next.hi
            : last.hi;
      result[result.length - 1] = { lo: last.lo, hi, point: undefined };
    }
  }
  return result;
}

function intersectTwo(a: Interval, b: Interval): Interval[] {
  const lo = a.lo.compare(b.lo) >= 0 ? a.lo : b.lo;
  const hi = lower(a.hi, b.hi);
  if (hi !== undefined && lo.compare(hi) >= 0) return [];
  return [{ lo, hi, point: a.point ?? b.point }];
}

/** What lies in both. */
export function intersect(a: Interval[], b: Interval[]): Interval[] {
  return union(a.flatMap((x) => b.flatMap((y) => intersectTwo(x, y))));
}

/** Whether every part of one lies in the other. */
export function isWithin(inner: Interval[], outer: Interval[]): boolean {
  return inner.every((x) =>
    outer.some(
      (y) => x.lo.compare(y.lo) >= 0 && (y.hi === undefined || (x.hi !== undefined && x.hi.compare(y.hi) <= 0)),
    ),
  );
}

/** Whether a document without the field could satisfy the bounds. */
export function allowsMissing(intervals: Interval[]): boolean {
  return intervals.some(
    (interval) => interval.lo.compare(nullKey) <= 0 && (interval.hi === undefined || interval.hi.compare(nullKey) > 0),
  );
}

function rangeOf(kind: 'gt' | 'gte' | 'lt' | 'lte', value: Value): Interval[] | undefined {
  const tag = tagOf(value);
  if (tag === tags.array || tag === tags.minKey || tag === tags.maxKey) return undefined;
  const allowsEqual = kind === 'gte' || kind === 'lte';
  const key = keyOf(value);
  if (value.type === types.null || (isNumber(value) && Number.isNaN(numberOf(value))))
    return allowsEqual ? [point(key)] : [];
  const bracket = typeRange(tag);
  if (tag === tags.number) bracket.lo = minusInfinity;
  const whole: Interval =
    kind === 'gt'
      ? { ...bracket, lo: after(key)! }
      : kind === 'gte'
        ? { ...bracket, lo: key }
        : { ...bracket, hi: kind === 'lt' ? key : after(key) };
  return whole.hi !== undefined && whole.lo.compare(whole.hi) >= 0 ? [] : [whole];
}

function patternIntervals(pattern: Pattern): Interval[] {
  const regexes = typeRange(tags.regex);
  if (pattern.prefix === undefined) return [typeRange(tags.string), regexes];
  const lo = keyOf(valueOf(pattern.prefix)).subarray(0, -1);
  return [{ lo, hi: after(lo), point: undefined }, regexes];
}

function testIntervals(test: Test): Interval[] | undefined {
  switch (test.kind) {
    case 'eq':
      return isArray(test.value) ? undefined : [point(keyOf(test.value))];
    case 'gt':
    case 'gte':
    case 'lt':
    case 'lte':
      return rangeOf(test.kind, test.value);
    case 'in':
      if (test.values.some(isArray)) return undefined;
      return union([...test.values.map((value) => point(keyOf(value))), ...test.patterns.flatMap(patternIntervals)]);
    case 'regex':
      return patternIntervals(test.pattern);
    case 'elemMatchValue': {
      const parts = test.tests.filter((part) => !part.negated).map((part) => testIntervals(part.test));
      const known = parts.filter((part) => part !== undefined);
      return known.length === 0 ? undefined : known.reduce(intersect);
    }
    default:
      return undefined;
  }
}

function isExact(test: Test, path: Path): boolean {
  const isNull = (value: Value): boolean => value.type === types.null;
  if (test.kind === 'regex' || test.kind === 'elemMatchValue') return false;
  if (test.kind === 'in') return test.patterns.length === 0 && (path.parts.length === 1 || !test.values.some(isNull));
  return 'value' in test && (path.parts.length === 1 || !isNull(test.value));
}

/**
 * How to read a field's bounds: where an array may stand, two conditions may be met by two members, so only one counts.
 */
export type BoundsQuery = { path: Path; isMultikey: boolean };

function fieldBounds(filter: Filter & { kind: 'field' }, query: BoundsQuery): Bounds | undefined {
  const { path, test } = filter;
  if (path.text === query.path.text) {
    const intervals = testIntervals(test);
    return intervals && { intervals, exact: isExact(test, path) ? [filter] : [] };
  }
  if (test.kind === 'elemMatch' && query.path.text.startsWith(`${path.text}.`)) {
    const inner = boundsOf(test.filter, {
      path: pathOf(query.path.text.slice(path.text.length + 1)),
      isMultikey: true,
    });
    return inner && { intervals: inner.intervals, exact: [] };
  }
  return undefined;
}

function width(bounds: Bounds): number {
  return bounds.intervals.reduce((sum, interval) => sum + (interval.point ? 1 : 1000), 0);
}

/** The bounds that a filter sets on a field; undefined if it says nothing usable. */
export function boundsOf(filter: Filter, query: BoundsQuery): Bounds | undefined {
  switch (filter.kind) {
    case 'field':
      return fieldBounds(filter, query);
    case 'and': {
      const known = filter.parts.map((part) => boundsOf(part, query)).filter((part) => part !== undefined);
      if (known.length < 2 || query.isMultikey) return known.toSorted((a, b) => width(a) - width(b))[0];
      return known.reduce((a, b) => ({
        intervals: intersect(a.intervals, b.intervals),
        exact: [...a.exact, ...b.exact],
      }));
    }
    case 'or': {
      const parts = filter.parts.map((part) => boundsOf(part, query));
      if (parts.some((part) => part === undefined)) return undefined;
      return { intervals: union(parts.flatMap((part) => part!.intervals)), exact: [] };
    }
    default:
      return undefined;
  }
}
