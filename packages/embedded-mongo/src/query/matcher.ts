import { compareValues, equalValues } from '../bson/compare.ts';
import { keyOf, tagOf, tags } from '../bson/key.ts';
import { isArray, isNumber, isObject, itemsOf, numberOf, stringOf, types, type Value } from '../bson/value.ts';
import type { ElementTest, Filter, Pattern, Test } from './filter.ts';
import { walkPath } from './path.ts';

export type Matcher = (document: Value) => boolean;
type ValueTest = (value: Value | undefined) => boolean;

const isNan = (value: Value): boolean => isNumber(value) && Number.isNaN(numberOf(value));

function equalityTest(wanted: Value): ValueTest {
  if (wanted.type === types.null) return (value) => value === undefined || value.type === types.null;
  return (value) => value !== undefined && equalValues(value, wanted);
}

function orderTest(kind: 'gt' | 'gte' | 'lt' | 'lte', bound: Value): ValueTest {
  const allowsEqual = kind === 'gte' || kind === 'lte';
  const sign = kind === 'gt' || kind === 'gte' ? 1 : -1;
  if (bound.type === types.null) return allowsEqual ? equalityTest(bound) : () => false;
  if (isNan(bound)) return (value) => allowsEqual && value !== undefined && isNan(value);
  const tag = tagOf(bound);
  const isUnbracketed = tag === tags.minKey || tag === tags.maxKey;
  return (value) => {
    if (value === undefined || (!isUnbracketed && tagOf(value) !== tag) || isNan(value)) return false;
    const order = compareValues(value, bound) * sign;
    return order > 0 || (allowsEqual && order === 0);
  };
}

function regexTest(pattern: Pattern): ValueTest {
  return (value) => {
    if (value === undefined) return false;
    if (value.type === types.string) return pattern.expression.test(stringOf(value));
    if (value.type !== types.regex) return false;
    const [source, options] = value.bytes.toString('utf8', value.start, value.end - 1).split('\0');
    return source === pattern.source && options === pattern.options;
  };
}

function inTest(values: Value[], patterns: Pattern[]): ValueTest {
  const tests = patterns.map(regexTest);
  const hasNull = values.some((value) => value.type === types.null);
  if (values.length <= 4) tests.push(...values.map(equalityTest));
  else {
    const keys = new Set(values.map((value) => keyOf(value).toString('latin1')));
    tests.push((value) => (value === undefined ? hasNull : keys.has(keyOf(value).toString('latin1'))));
  }
  return (value) => tests.some((test) => test(value));
}

function elementTests(tests: readonly ElementTest[]): ValueTest {
  const compiled = tests.map(({ test, negated }) => {
    const matches = compileTest(test);
    return negated ? (value: Value | undefined) => !matches(value) : matches;
  });
  return (value) => compiled.every((test) => test(value));
}

/** Compiles a test of a single value; arrays are expanded by the caller. */
export function compileTest(test: Test): ValueTest {
  switch (test.kind) {
    case 'eq':
      return equalityTest(test.value);
    case 'gt':
    case 'gte':
    case 'lt':
    case 'lte':
      return orderTest(test.kind, test.value);
    case 'in':
      return inTest(test.values, test.patterns);
    case 'regex':
      return regexTest(test.pattern);
    case 'exists':
      return (value) => value !== undefined;
    case 'type':
      return (value) => value !== undefined && test.types.has(value.type);
    case 'size':
      return (value) => isArray(value) && itemsOf(value).length === test.size;
    case 'elemMatch': {
      const matches = compileFilter(test.filter);
      return (value) =>
        isArray(value) && itemsOf(value).some((item) => (isObject(item) || isArray(item)) && matches(item));
    }
    case 'elemMatchValue': {
      const matches = elementTests(test.tests);
      return (value) => isArray(value) && itemsOf(value).some(matches);
    }
  }
}

/** Whether an array at the end of the path is also tested member by member. */
export function expandsLeaf(test: Test): boolean {
  return test.kind !== 'size' && test.kind !== 'elemMatch' && test.kind !== 'elemMatchValue' && test.kind !== 'exists';
}

/** Compiles a filter into a function over raw documents. */
export function compileFilter(filter: Filter): Matcher {
  switch (filter.kind) {
    case 'and': {
      const parts = filter.parts.map(compileFilter);
      return (document) => parts.every((part) => part(document));
    }
    case 'or': {
      const parts = filter.parts.map(compileFilter);
      return (document) => parts.some((part) => part(document));
    }
    case 'nor': {
      const parts = filter.parts.map(compileFilter);
      return (document) => !parts.some((part) => part(document));
    }
    case 'not': {
      const part = compileFilter(filter.part);
      return (document) => !part(document);
    }
    case 'field': {
      const walk = { path: filter.path, expandsLeaf: expandsLeaf(filter.test), visit: compileTest(filter.test) };
      return (document) => walkPath(document, walk);
    }
  }
}
