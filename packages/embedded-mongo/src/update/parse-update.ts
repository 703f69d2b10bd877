import { fail } from '../errors.ts';
import { describeValue } from '../bson/describe.ts';
import { fieldsOf, isArray, isNumber, isObject, itemsOf, numberOf, typeName, type Value } from '../bson/value.ts';
import { compileFilter, type Matcher } from '../query/matcher.ts';
import { parseFilter } from '../query/parse-filter.ts';

/** One change of an update: which operator, where, with what. */
export type Change = { operator: Operator; path: string[]; text: string; operand: Value };

const operators = [
  '$set',
  '$unset',
  '$setOnInsert',
  '$inc',
  '$min',
  '$max',
  '$push',
  '$addToSet',
  '$pull',
  '$pop',
] as const;
export type Operator = (typeof operators)[number];

/** A filter for `$[identifier]`. */
export type ArrayFilter = { identifier: string; matches: Matcher };

/** A parsed update: a whole new document, or changes in the order in which they apply. */
export type Update = { replacement: Value } | { changes: Change[]; arrayFilters: Map<string, ArrayFilter> };

function comparePaths(a: string[], b: string[]): number {
  for (let at = 0; at < Math.min(a.length, b.length); at++) {
    const [x, y] = [a[at]!, b[at]!];
    if (x === y) continue;
    if (/^\d+$/.test(x) && /^\d+$/.test(y)) return Number(x) - Number(y);
    return x < y ? -1 : 1;
  }
  return a.length - b.length;
}

function checkPath(text: string): string[] {
  if (text === '') fail('EmptyFieldName', 'An empty update path is not valid.');
  const parts = text.split('.');
  if (parts.some((part) => part === ''))
    fail('EmptyFieldName', `The update path '${text}' contains an empty field name, which is not allowed.`);
  const bad = parts.find((part) => part.startsWith('$') && part !== '$' && !/^\$\[[^\]]*\]$/.test(part));
  if (bad !== undefined)
    fail(
      'DollarPrefixedFieldName',
      `The dollar ($) prefixed field '${bad}' in '${text}' is not allowed in the context of an update's replacement document. Consider using an aggregation pipeline with $replaceWith.`,
    );
  if (parts[0]!.startsWith('$'))
    fail('BadValue', `Cannot have positional (i.e. '${parts[0]}') element in the first position in path '${text}'`);
  if (parts.filter((part) => part === '$').length > 1)
    fail('BadValue', `Too many positional (i.e. '$') elements found in path '${text}'`);
  return parts;
}

function checkOperand(operator: Operator, text: string, operand: Value): void {
  if (operator === '$inc' && !isNumber(operand))
    fail('TypeMismatch', `Cannot increment with non-numeric argument: {${text}: ${describeValue(operand)}}`);
  if (operator === '$pop') {
    if (!isNumber(operand)) fail('FailedToParse', `Expected a number in: ${text}: ${describeValue(operand)}`);
    if (numberOf(operand) !== 1 && numberOf(operand) !== -1)
      fail('FailedToParse', `$pop expects 1 or -1, found: ${numberOf(operand)}`);
  }
}

function parseOperator(name: string, operand: Value): Change[] {
  if (!(operators as readonly string[]).includes(name)) {
    fail(
      'FailedToParse',
      `Unknown modifier: ${name}. Expected a valid update modifier or pipeline-style update specified as an array`,
    );
  }
  if (!isObject(operand))
    fail(
      'FailedToParse',
      `Modifiers operate on fields but we found type ${typeName(operand.type)} instead. For example: {$mod: {<field>: ...}} not {${name}: ${describeValue(operand)}}`,
    );
  const operator = name as Operator;
  return fieldsOf(operand).map(([text, value]) => {
    checkOperand(operator, text, value);
    return { operator, path: checkPath(text), text, operand: value };
  });
}

function checkConflicts(changes: Change[]): void {
  for (let at = 1; at < changes.length; at++) {
    const before = changes[at - 1]!;
    const { path, text } = changes[at]!;
    if (before.path.every((part, index) => path[index] === part))
      fail('ConflictingUpdateOperators', `Updating the path '${text}' would create a conflict at '${before.text}'`);
  }
}

function identifierOf(filter: Value): string | undefined {
  for (const [name, value] of fieldsOf(filter)) {
    if (!name.startsWith('$')) return name.split('.')[0]!;
    const inner = isArray(value)
      ? itemsOf(value)
          .filter(isObject)
          .map(identifierOf)
          .find((found) => found !== undefined)
      : undefined;
    if (inner !== undefined) return inner;
  }
  return undefined;
}

function namesIn(filter: Value): string[] {
  return fieldsOf(filter).flatMap(([name, value]) => {
    if (!name.startsWith('$')) return [name.split('.')[0]!];
    return isArray(value) ? itemsOf(value).filter(isObject).flatMap(namesIn) : [];
  });
}

function parseArrayFilters(list: Value | undefined): Map<string, ArrayFilter> {
  const filters = new Map<string, ArrayFilter>();
  for (const item of list === undefined ? [] : itemsOf(list)) {
    if (!isObject(item)) fail('TypeMismatch', 'each array filter must be an object');
    const identifier = identifierOf(item);
    if (identifier === undefined)
      fail('FailedToParse', 'Cannot use an expression without a top-level field name in arrayFilters');
    const other = namesIn(item).find((name) => name !== identifier);
    if (other !== undefined)
      fail(
        'FailedToParse',
        `Error parsing array filter :: caused by :: Expected a single top-level field name, found '${identifier}' and '${other}'`,
      );
    if (!/^[a-z][A-Za-z0-9]*$/.test(identifier))
      fail(
        'BadValue',
        `Error parsing array filter :: caused by :: The top-level field name must be an alphanumeric string beginning with a lowercase letter, found '${identifier}'`,
      );
    if (filters.has(identifier))
      fail('FailedToParse', `Found multiple array filters with the same top-level field name ${identifier}`);
    filters.set(identifier, { identifier, matches: compileFilter(parseFilter(item)) });
  }
  return filters;
}

function checkFilterUse(changes: Change[], filters: Map<string, ArrayFilter>): void {
  const used = new Set<string>();
  for (const { path, text } of changes) {
    for (const part of path) {
      const identifier = /^\$\[(.+)\]$/.exec(part)?.[1];
      if (identifier === undefined) continue;
      if (!filters.has(identifier))
        fail('BadValue', `No array filter found for identifier '${identifier}' in path '${text}'`);
      used.add(identifier);
    }
  }
  for (const identifier of filters.keys()) {
    if (!used.has(identifier))
      fail('FailedToParse', `The array filter for identifier '${identifier}' was not used in the update`);
  }
}

/** Parses an update; an operator outside the contract is an error. */
export function parseUpdate(update: Value, arrayFilters: Value | undefined): Update {
  if (isArray(update)) fail('FailedToParse', 'updates by an aggregation pipeline are not supported by this store');
  if (!isObject(update)) fail('FailedToParse', 'Update argument must be either an object or an array');
  const fields = fieldsOf(update);
  if (!fields[0]?.[0].startsWith('$')) {
    const dollar = fields.find(([name]) => name.startsWith('$'));
    if (dollar)
      fail(
        'DollarPrefixedFieldName',
        `The dollar ($) prefixed field '${dollar[0]}' in '${dollar[0]}' is not allowed in the context of an update's replacement document. Consider using an aggregation pipeline with $replaceWith.`,
      );
    if (arrayFilters !== undefined && itemsOf(arrayFilters).length > 0)
      fail('FailedToParse', 'Cannot specify arrayFilters on a replacement-style update');
    return { replacement: update };
  }
  const changes = fields
    .flatMap(([name, operand]) => parseOperator(name, operand))
    .toSorted((a, b) => comparePaths(a.path, b.path));
  checkConflicts(changes);
  const filters = parseArrayFilters(arrayFilters);
  checkFilterUse(changes, filters);
  return { changes, arrayFilters: filters };
}

/** Modifiers of `$push` and `$addToSet`. */
export type PushModifiers = {
  each: Value[];
  slice: number | undefined;
  position: number | undefined;
  sort: Value | undefined;
};

function integerModifier(operator: string, modifiers: Map<string, Value>): number | undefined {
  const value = modifiers.get(operator);
  if (value === undefined) return undefined;
  if (!isNumber(value) || !Number.isInteger(numberOf(value)))
    fail('BadValue', `The value for ${operator} must be an integer value but was given type: ${typeName(value.type)}`);
  return numberOf(value);
}

/** Reads `{$each: […], …}`, or takes the operand as the one member to add. */
export function pushModifiers(operand: Value, allowed: readonly string[]): PushModifiers {
  const fields = isObject(operand) ? fieldsOf(operand) : [];
  const modifiers = new Map(fields);
  const each = modifiers.get('$each');
  if (each === undefined) {
    const lonely = fields.find(([name]) => ['$slice', '$sort', '$position'].includes(name));
    if (lonely) fail('BadValue', `${lonely[0]} needs $each`);
    return { each: [operand], slice: undefined, position: undefined, sort: undefined };
  }
  const unknown = fields.find(([name]) => !allowed.includes(name));
  if (unknown) fail('BadValue', `Unrecognized clause in $push: ${unknown[0]}`);
  if (!isArray(each))
    fail('BadValue', `The argument to $each in $push must be an array but it was of type: ${typeName(each.type)}`);
  return {
    each: itemsOf(each),
    slice: integerModifier('$slice', modifiers),
    position: integerModifier('$position', modifiers),
    sort: modifiers.get('$sort'),
  };
}
