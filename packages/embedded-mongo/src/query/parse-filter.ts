import { fail } from '../errors.ts';
import {
  fieldsOf,
  isArray,
  isNumber,
  isObject,
  isTruthy,
  itemsOf,
  numberOf,
  regexOf,
  stringOf,
  types,
  typeName,
  type TypeName,
  type Value,
} from '../bson/value.ts';
import { keyOf } from '../bson/key.ts';
import { allOf, type ElementTest, type Filter, type Pattern, type Test } from './filter.ts';
import { pathOf } from './path.ts';
import { patternOf } from './regex.ts';

const maxDepth = 100;

/** One condition on a field, before it is known where it applies. */
type Condition = ElementTest;

function checkOperand(value: Value): void {
  if (value.type === types.undefined) fail('BadValue', 'cannot compare to undefined');
  keyOf(value);
}

function patternFrom(value: Value): Pattern {
  const { pattern, options } = regexOf(value);
  return patternOf(pattern, options);
}

function parseIn(name: string, operand: Value): Test {
  if (!isArray(operand)) fail('BadValue', `${name} needs an array`);
  const values: Value[] = [];
  const patterns: Pattern[] = [];
  for (const item of itemsOf(operand)) {
    if (item.type === types.regex) patterns.push(patternFrom(item));
    else {
      if (isObject(item) && fieldsOf(item)[0]?.[0].startsWith('$')) fail('BadValue', `cannot nest $ under ${name}`);
      checkOperand(item);
      values.push(item);
    }
  }
  return { kind: 'in', values, patterns };
}

function parseType(operand: Value): Test {
  const wanted = new Set<number>();
  const members = isArray(operand) ? itemsOf(operand) : [operand];
  if (members.length === 0) fail('FailedToParse', '$type must match at least one type');
  for (const member of members) {
    if (isNumber(member)) {
      const type = numberOf(member) === -1 ? types.minKey : numberOf(member);
      if (!(Object.values(types) as number[]).includes(type)) fail('BadValue', `Invalid numerical type code: ${type}`);
      wanted.add(type);
    } else if (member.type === types.string) {
      const name = stringOf(member);
      if (name === 'number') [types.int, types.double, types.long, types.decimal].forEach((type) => wanted.add(type));
      else if (name in types) wanted.add(types[name as TypeName]);
      else fail('BadValue', `Unknown type name alias: ${name}`);
    } else fail('TypeMismatch', 'type must be represented as a number or a string');
  }
  return { kind: 'type', types: wanted };
}

function parseSize(operand: Value): Test {
  const size = numberOf(operand);
  if (!isNumber(operand) || !Number.isInteger(size))
    fail('FailedToParse', `Failed to parse $size. Expected an integer but found: ${typeName(operand.type)}`);
  if (size < 0) fail('FailedToParse', `Failed to parse $size. Expected a non-negative number: ${size}`);
  return { kind: 'size', size };
}

/** Parses the operand of `$elemMatch`. */
export function parseElemMatch(operand: Value, depth: number): Test {
  if (!isObject(operand)) fail('BadValue', '$elemMatch needs an Object');
  const first = fieldsOf(operand)[0]?.[0];
  const isValueTest = first !== undefined && first.startsWith('$') && !['$and', '$or', '$nor'].includes(first);
  if (!isValueTest) return { kind: 'elemMatch', filter: parseFilter(operand, depth + 1) };
  return { kind: 'elemMatchValue', tests: parseConditions(operand, depth + 1) };
}

function parseAll(operand: Value, depth: number): Condition[] {
  if (!isArray(operand)) fail('BadValue', '$all needs an array');
  const members = itemsOf(operand);
  if (members.length === 0) return [{ test: { kind: 'in', values: [], patterns: [] }, negated: false }];
  const isElemMatch = (member: Value): boolean => isObject(member) && fieldsOf(member)[0]?.[0] === '$elemMatch';
  return members.map((member) => {
    if (isElemMatch(member) !== isElemMatch(members[0]!)) fail('BadValue', 'no $ expressions in $all');
    if (isElemMatch(member)) return { test: parseElemMatch(fieldsOf(member)[0]![1], depth), negated: false };
    if (isObject(member) && fieldsOf(member)[0]?.[0].startsWith('$')) fail('BadValue', 'no $ expressions in $all');
    return { test: equality(member), negated: false };
  });
}

function equality(value: Value): Test {
  if (value.type === types.regex) return { kind: 'regex', pattern: patternFrom(value) };
  checkOperand(value);
  return { kind: 'eq', value };
}

function parseRegex(operand: Value, siblings: [string, Value][]): Test {
  const options = siblings.find(([name]) => name === '$options')?.[1];
  if (options !== undefined && options.type !== types.string) fail('BadValue', '$options has to be a string');
  if (operand.type === types.string)
    return { kind: 'regex', pattern: patternOf(stringOf(operand), options ? stringOf(options) : '') };
  if (operand.type !== types.regex) return fail('BadValue', '$regex has to be a string');
  const own = regexOf(operand);
  if (options && own.options !== '') fail(51075, 'options set in both $regex and $options');
  return { kind: 'regex', pattern: patternOf(own.pattern, options ? stringOf(options) : own.options) };
}

function parseNot(operand: Value, depth: number): Filter | Condition[] {
  if (operand.type === types.regex) return [{ test: equality(operand), negated: true }];
  if (!isObject(operand)) fail('BadValue', '$not needs a regex or a document');
  const inner = parseConditions(operand, depth + 1);
  if (inner.length === 0) fail('BadValue', '$not cannot be empty');
  if (inner.length === 1) return [{ test: inner[0]!.test, negated: !inner[0]!.negated }];
  return { kind: 'and', parts: [] };
}

type Entry = { name: string; operand: Value; siblings: [string, Value][]; depth: number };

function parseOperator({ name, operand, siblings, depth }: Entry): Condition[] {
  const positive = (test: Test): Condition[] => [{ test, negated: false }];
  switch (name) {
    case '$eq':
      return positive(
        operand.type === types.regex ? (checkOperand(operand), { kind: 'eq', value: operand }) : equality(operand),
      );
    case '$ne':
      if (operand.type === types.regex) fail('BadValue', "Can't have regex as arg to $ne.");
      return [{ test: equality(operand), negated: true }];
    case '$gt':
    case '$gte':
    case '$lt':
    case '$lte':
      if (operand.type === types.regex) fail('BadValue', `Can't have RegEx as arg to predicate over field '${name}'.`);
      checkOperand(operand);
      return positive({ kind: name.slice(1) as 'gt', value: operand });
    case '$in':
      return positive(parseIn(name, operand));
    case '$nin':
      return [{ test: parseIn(name, operand), negated: true }];
    case '$exists':
      return [{ test: { kind: 'exists' }, negated: !isTruthy(operand) }];
    case '$type':
      return positive(parseType(operand));
    case '$size':
      return positive(parseSize(operand));
    case '$all':
      return parseAll(operand, depth);
    case '$elemMatch':
      return positive(parseElemMatch(operand, depth));
    case '$regex':
      return positive(parseRegex(operand, siblings));
    case '$options':
      if (!siblings.some(([sibling]) => sibling === '$regex')) fail('BadValue', '$options needs a $regex');
      return [];
    default:
      return fail('BadValue', `unknown operator: ${name}`);
  }
}

/** Conditions of an operator document that can be tested on one value: inside `$elemMatch` and `$not`. */
function parseConditions(document: Value, depth: number): Condition[] {
  const siblings = fieldsOf(document);
  return siblings.flatMap(([name, operand]) => {
    if (name !== '$not') return parseOperator({ name, operand, siblings, depth });
    const inner = parseNot(operand, depth);
    return Array.isArray(inner)
      ? inner
      : fail('BadValue', 'several conditions in a $not inside $elemMatch or $not are not supported');
  });
}

function fieldFilter(field: string, { test, negated }: Condition): Filter {
  const positive: Filter = { kind: 'field', path: pathOf(field), test };
  return negated ? { kind: 'not', part: positive } : positive;
}

function parseFieldOperators(field: string, document: Value, depth: number): Filter[] {
  const siblings = fieldsOf(document);
  return siblings.flatMap(([name, operand]) => {
    if (name !== '$not') {
      if (!name.startsWith('$')) fail('BadValue', `unknown operator: ${name}`);
      return parseOperator({ name, operand, siblings, depth }).map((condition) => fieldFilter(field, condition));
    }
    const inner = parseNot(operand, depth);
    if (Array.isArray(inner)) return inner.map((condition) => fieldFilter(field, condition));
    return [
      {
        kind: 'not',
        part: {
          kind: 'and',
          parts: parseConditions(operand, depth + 1).map((condition) => fieldFilter(field, condition)),
        },
      },
    ];
  });
}

function parseLogical(name: 'and' | 'or' | 'nor', operand: Value, depth: number): Filter {
  if (!isArray(operand)) fail('BadValue', `$${name} must be an array`);
  const parts = itemsOf(operand).map((part) => {
    if (!isObject(part)) fail('BadValue', '$or/$and/$nor entries need to be full objects');
    return parseFilter(part, depth + 1);
  });
  if (parts.length === 0) fail('BadValue', '$and/$or/$nor must be a nonempty array');
  return parts.length === 1 && name !== 'nor' ? parts[0]! : { kind: name, parts };
}

function isOperatorDocument(value: Value): boolean {
  if (!isObject(value)) return false;
  const first = fieldsOf(value)[0]?.[0];
  return first !== undefined && first.startsWith('$') && first !== '$ref' && first !== '$id' && first !== '$db';
}

/** Parses a filter document; an operator outside the contract is an error. */
export function parseFilter(document: Value, depth = 0): Filter {
  if (depth > maxDepth) fail('BadValue', `exceeded maximum query tree depth of ${maxDepth}`);
  const parts = fieldsOf(document).flatMap(([name, value]): Filter[] => {
    if (name === '$and' || name === '$or' || name === '$nor')
      return [parseLogical(name.slice(1) as 'and', value, depth)];
    if (name === '$comment') return [];
    if (name.startsWith('$'))
      return fail(
        'BadValue',
        `unknown top level operator: ${name}. If you have a field name that starts with a '$' symbol, consider using $getField or $setField.`,
      );
    if (isOperatorDocument(value)) return parseFieldOperators(name, value, depth);
    return [fieldFilter(name, { test: equality(value), negated: false })];
  });
  return allOf(parts);
}
