import { fail } from '../errors.ts';
import { compareValues, equalValues } from '../bson/compare.ts';
import { describeValue } from '../bson/describe.ts';
import { compoundKey, keyOf } from '../bson/key.ts';
import { ListNode, opened, type Node } from '../bson/node.ts';
import { fieldsOf, integerOf, isNumber, isObject, numberOf, typeName, types, Value } from '../bson/value.ts';
import { doubleOf, encodeDocument, valueOf } from '../bson/write.ts';
import { compileFilter, compileTest } from '../query/matcher.ts';
import { parseElemMatch, parseFilter } from '../query/parse-filter.ts';
import { parseSort, sortKeyOf } from '../query/sort.ts';
import { pushModifiers, type Change } from './parse-update.ts';

/** New value of a field: undefined removes it. */
export type Applied = Node | undefined;

/** Shows the document that an error is about. */
export type Subject = { idText: () => string };

const minLong = -(2n ** 63n);
const maxLong = 2n ** 63n - 1n;

/** A node as raw bytes. */
export function frozen(node: Node): Value {
  return node instanceof Value ? node : valueOf(node);
}

function typeOfNode(node: Node): string {
  return node instanceof Value ? typeName(node.type) : node instanceof ListNode ? 'array' : 'object';
}

/** Adds two numbers with MongoDB's rules: ints widen to longs, a double makes a double. */
export function addNumbers(a: Value, b: Value): Value {
  if (a.type === types.double || b.type === types.double) return doubleOf(numberOf(a) + numberOf(b));
  const sum = integerOf(a) + integerOf(b);
  if (a.type === types.int && b.type === types.int && sum >= -0x80000000n && sum <= 0x7fffffffn)
    return valueOf(Number(sum));
  if (sum < minLong || sum > maxLong)
    fail('BadValue', `Failed to apply $inc operations to current value (${describeValue(a)}) for document`);
  return valueOf(sum);
}

function increment(now: Node | undefined, change: Change, subject: Subject): Applied {
  if (now === undefined) return change.operand;
  if (!(now instanceof Value) || !isNumber(now)) {
    fail(
      'TypeMismatch',
      `Cannot apply $inc to a value of non-numeric type. {${subject.idText()}} has the field '${change.path.at(-1)}' of non-numeric type ${typeOfNode(now)}`,
    );
  }
  return addNumbers(now, change.operand);
}

function extreme(now: Node | undefined, change: Change, sign: number): Applied {
  if (now === undefined) return change.operand;
  return compareValues(change.operand, frozen(now)) * sign > 0 ? change.operand : now;
}

function listOf(now: Node | undefined, message: (type: string) => string): ListNode {
  if (now === undefined) return new ListNode();
  const list = opened(now);
  return list instanceof ListNode ? list : fail('BadValue', message(typeOfNode(now)));
}

function sortList(items: Node[], sort: Value): Node[] {
  const frozenItems = items.map(frozen);
  if (isNumber(sort)) {
    const order = numberOf(sort);
    if (order !== 1 && order !== -1) fail('BadValue', 'The $sort element value must be either 1 or -1');
    return frozenItems.toSorted((a, b) => compareValues(a, b) * order);
  }
  if (!isObject(sort) || fieldsOf(sort).length === 0)
    fail(
      'BadValue',
      'The $sort is invalid: use 1/-1 to sort the whole element, or {field:1/-1} to sort embedded fields',
    );
  const fields = parseSort(sort);
  const keyed = frozenItems.map((item) => ({
    item,
    key: isObject(item)
      ? sortKeyOf(item, fields)
      : compoundKey(
          fields.map(() => undefined),
          fields.map((field) => field.descending),
        ),
  }));
  return keyed.toSorted((a, b) => a.key.compare(b.key)).map(({ item }) => item);
}

function push(now: Node | undefined, change: Change, subject: Subject): Applied {
  const { each, slice, position, sort } = pushModifiers(change.operand, ['$each', '$slice', '$sort', '$position']);
  const list = listOf(
    now,
    (type) => `The field '${change.text}' must be an array but is of type ${type} in document {${subject.idText()}}`,
  );
  const at =
    position === undefined ? list.items.length : position < 0 ? Math.max(0, list.items.length + position) : position;
  let items = [...list.items.slice(0, at), ...each, ...list.items.slice(at)];
  if (sort !== undefined) items = sortList(items, sort);
  if (slice !== undefined) items = slice === 0 ? [] : slice > 0 ? items.slice(0, slice) : items.slice(slice);
  return new ListNode(items);
}

function addToSet(now: Node | undefined, change: Change): Applied {
  const { each } = pushModifiers(change.operand, ['$each']);
  const list = listOf(
    now,
    (type) =>
      `Cannot apply $addToSet to non-array field. Field named '${change.path.at(-1)}' has non-array type ${type}`,
  );
  const keys = new Set(list.items.map((item) => keyOf(frozen(item)).toString('latin1')));
  const added = each.filter((item) => {
    const key = keyOf(item).toString('latin1');
    if (keys.has(key)) return false;
    keys.add(key);
    return true;
  });
  return new ListNode([...list.items, ...added]);
}

/** The test by which `$pull` chooses members. */
function pullTest(operand: Value): (item: Value) => boolean {
  if (operand.type === types.regex) {
    const test = parseElemMatch(documentWith('$regex', operand), 0);
    return (item) => compileTest(test)(arrayOf(item));
  }
  if (!isObject(operand)) return (item) => equalValues(item, operand);
  const first = fieldsOf(operand)[0]?.[0];
  if (first !== undefined && first.startsWith('$') && !['$and', '$or', '$nor'].includes(first)) {
    const test = compileTest(parseElemMatch(operand, 0));
    return (item) => test(arrayOf(item));
  }
  const matches = compileFilter(parseFilter(operand));
  return (item) => isObject(item) && matches(item);
}

function documentWith(name: string, value: Value): Value {
  return valueOf({ [name]: value });
}

function arrayOf(item: Value): Value {
  return valueOf([item]);
}

function pull(now: Node | undefined, change: Change): Applied {
  if (now === undefined) return undefined;
  const list = listOf(now, () => 'Cannot apply $pull to a non-array value');
  const matches = pullTest(change.operand);
  return new ListNode(list.items.filter((item) => !matches(frozen(item))));
}

function pop(now: Node | undefined, change: Change): Applied {
  if (now === undefined) return undefined;
  const list = opened(now);
  if (!(list instanceof ListNode))
    fail('TypeMismatch', `Path '${change.text}' contains an element of non-array type '${typeOfNode(now)}'`);
  return new ListNode(numberOf(change.operand) > 0 ? list.items.slice(0, -1) : list.items.slice(1));
}

/** Whether an operator makes the containers on its path. */
export function createsPath(change: Change): boolean {
  return change.operator !== '$unset' && change.operator !== '$pull' && change.operator !== '$pop';
}

/** Computes the new value of a field. */
export function applyOperator(now: Node | undefined, change: Change, subject: Subject): Applied {
  switch (change.operator) {
    case '$set':
    case '$setOnInsert':
      return change.operand;
    case '$unset':
      return undefined;
    case '$inc':
      return increment(now, change, subject);
    case '$min':
      return extreme(now, change, -1);
    case '$max':
      return extreme(now, change, 1);
    case '$push':
      return push(now, change, subject);
    case '$addToSet':
      return addToSet(now, change);
    case '$pull':
      return pull(now, change);
    case '$pop':
      return pop(now, change);
  }
}

/** A document of one field, for tests that look at a field. */
export function singleField(name: string, node: Node): Buffer {
  return encodeDocument({ [name]: node });
}
