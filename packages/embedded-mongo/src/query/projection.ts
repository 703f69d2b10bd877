import { fail } from '../errors.ts';
import { describeValue } from '../bson/describe.ts';
import {
  documentOf,
  fieldsOf,
  isArray,
  isNumber,
  isObject,
  isTruthy,
  itemsOf,
  numberOf,
  typeName,
  types,
  Value,
} from '../bson/value.ts';
import { BsonWriter, indexName } from '../bson/write.ts';
import { parseExpression, type Expression } from './expression.ts';
import { compileFilter, compileTest, type Matcher } from './matcher.ts';
import { parseElemMatch } from './parse-filter.ts';

type Leaf = { kind: 'keep' } | { kind: 'drop' } | { kind: 'slice'; skip: number | undefined; count: number };
type Tree = { leaf: Leaf | undefined; children: Map<string, Tree> };
type Computed = { path: string[]; expression: Expression };

/** A parsed projection. */
export type Projection = { isInclusion: boolean; tree: Tree; computed: Computed[]; keepsId: boolean };

type Item = { name: string; value: Value; isAggregate: boolean };
type Draft = { tree: Tree; computed: Computed[]; isInclusion: boolean | undefined; keepsId: boolean | undefined };

function emptyTree(): Tree {
  return { leaf: undefined, children: new Map() };
}

function addLeaf(tree: Tree, path: string, leaf: Leaf): void {
  let node = tree;
  for (const part of path.split('.')) {
    if (part === '') fail(15998, 'FieldPath field names may not be empty strings.');
    if (node.leaf) fail('Location31249', `Path collision at ${path}`);
    let child = node.children.get(part);
    if (!child) {
      child = emptyTree();
      node.children.set(part, child);
    }
    node = child;
  }
  if (node.leaf || node.children.size > 0) fail('Location31250', `Path collision at ${path}`);
  node.leaf = leaf;
}

function setMode(draft: Draft, isInclusion: boolean, name: string): void {
  if (draft.isInclusion !== undefined && draft.isInclusion !== isInclusion) {
    if (isInclusion) fail('Location31253', `Cannot do inclusion on field ${name} in exclusion projection`);
    fail('Location31254', `Cannot do exclusion on field ${name} in inclusion projection`);
  }
  draft.isInclusion = isInclusion;
}

function sliceLeaf(operand: Value): Leaf {
  const parts = isArray(operand) ? itemsOf(operand) : [operand];
  if (!parts.every(isNumber) || parts.length < 1 || parts.length > 2)
    fail(28667, `Invalid $slice syntax. The given syntax ${describeValue(operand)} did not match the find() syntax`);
  const numbers = parts.map((part) => Math.trunc(numberOf(part)));
  if (numbers.length === 2 && numbers[1]! <= 0) fail(28724, `Third argument to $slice must be positive: ${numbers[1]}`);
  return numbers.length === 2
    ? { kind: 'slice', skip: numbers[0]!, count: numbers[1]! }
    : { kind: 'slice', skip: undefined, count: numbers[0]! };
}

function elemMatchExpression(name: string, operand: Value): Expression {
  if (name.includes('.')) fail(31255, `Cannot use $elemMatch projection on a nested field`);
  const test = parseElemMatch(operand, 0);
  const matches: Matcher | ((value: Value) => boolean) =
    test.kind === 'elemMatch' ? compileFilter(test.filter) : (item) => matchesOne(test, item);
  const needsObject = test.kind === 'elemMatch';
  return (document) => {
    const array = fieldsOf(document).find(([field]) => field === name)?.[1];
    if (!isArray(array)) return undefined;
    const found = itemsOf(array).find((item) => (!needsObject || isObject(item)) && matches(item));
    return found && [found];
  };
}

function matchesOne(test: ReturnType<typeof parseElemMatch>, item: Value): boolean {
  const writer = new BsonWriter(item.end - item.start + 32);
  const start = writer.begin();
  writer.raw('0', item);
  writer.end(start);
  const bytes = writer.finish();
  return compileTest(test)(new Value(types.array, bytes, { start: 0, end: bytes.length }));
}

function addOperator(draft: Draft, { name, value, isAggregate }: Item): boolean {
  const [operator, operand] = fieldsOf(value)[0] ?? [];
  if (isAggregate || operand === undefined || fieldsOf(value).length !== 1) return false;
  if (operator === '$slice') {
    addLeaf(draft.tree, name, sliceLeaf(operand));
    return true;
  }
  if (operator !== '$elemMatch') return false;
  if (!isObject(operand))
    fail(31274, `elemMatch: Invalid argument, object required, but got ${typeName(operand.type)}`);
  setMode(draft, true, name);
  draft.computed.push({ path: [name], expression: elemMatchExpression(name, operand) });
  return true;
}

function addItem(draft: Draft, item: Item): void {
  const { name, value, isAggregate } = item;
  if (name.startsWith('$'))
    fail(16410, `FieldPath field names may not start with '$'. Consider using $getField or $setField.`);
  if (name.endsWith('.$')) fail(31276, 'positional projection is not supported by this store');
  if (isNumber(value) || value.type === types.bool) {
    const keeps = isTruthy(value);
    if (name === '_id') {
      draft.keepsId = keeps;
      return;
    }
    setMode(draft, keeps, name);
    return addLeaf(draft.tree, name, { kind: keeps ? 'keep' : 'drop' });
  }
  if (isObject(value) && !fieldsOf(value)[0]?.[0].startsWith('$')) {
    if (fieldsOf(value).length === 0)
      fail(51270, 'An empty sub-projection is not a valid value. Found empty object at path');
    for (const [inner, part] of fieldsOf(value)) addItem(draft, { name: `${name}.${inner}`, value: part, isAggregate });
    return;
  }
  if (isObject(value) && addOperator(draft, item)) return;
  setMode(draft, true, name);
  draft.computed.push({ path: name.split('.'), expression: parseExpression(value) });
}

/** Parses a projection; `isAggregate` for `$project`, where `$slice` and `$elemMatch` are something else. */
export function parseProjection(document: Value, isAggregate: boolean): Projection | undefined {
  const fields = fieldsOf(document);
  if (fields.length === 0)
    return isAggregate
      ? fail(51272, 'Invalid $project :: caused by :: projection specification must have at least one field')
      : undefined;
  const draft: Draft = { tree: emptyTree(), computed: [], isInclusion: undefined, keepsId: undefined };
  for (const [name, value] of fields) addItem(draft, { name, value, isAggregate });
  const onlyId = draft.isInclusion === undefined && draft.tree.children.size === 0;
  const isInclusion = draft.isInclusion ?? (onlyId ? draft.keepsId === true : false);
  for (const { path } of draft.computed)
    if (draft.tree.children.has(path[0]!)) fail('Location31250', `Path collision at ${path.join('.')}`);
  return { isInclusion, tree: draft.tree, computed: draft.computed, keepsId: draft.keepsId ?? true };
}

function sliced(array: Value, leaf: Leaf & { kind: 'slice' }): Value[] {
  const items = itemsOf(array);
  if (leaf.skip === undefined) return leaf.count >= 0 ? items.slice(0, leaf.count) : items.slice(leaf.count);
  const start = leaf.skip >= 0 ? leaf.skip : Math.max(0, items.length + leaf.skip);
  return items.slice(start, start + leaf.count);
}

class Projector {
  private readonly isInclusion: boolean;
  readonly writer: BsonWriter;

  constructor(isInclusion: boolean, size: number) {
    this.isInclusion = isInclusion;
    this.writer = new BsonWriter(size);
  }

  fields(document: Value, tree: Tree): void {
    for (const [name, value] of fieldsOf(document)) this.field(name, value, tree.children.get(name));
  }

  field(name: string, value: Value, tree: Tree | undefined): void {
    if (tree === undefined) {
      if (!this.isInclusion) this.writer.raw(name, value);
      return;
    }
    const { leaf } = tree;
    if (leaf?.kind === 'drop') return;
    if (leaf?.kind === 'slice' && isArray(value)) return this.writer.value(name, sliced(value, leaf));
    if (leaf) return this.writer.raw(name, value);
    this.nested(name, value, tree);
  }

  private nested(name: string, value: Value, tree: Tree): void {
    if (!isObject(value) && !isArray(value)) {
      if (!this.isInclusion) this.writer.raw(name, value);
      return;
    }
    const start = this.writer.open(name, value.type);
    if (isObject(value)) this.fields(value, tree);
    else {
      const kept = itemsOf(value).filter((item) => !this.isInclusion || isObject(item) || isArray(item));
      kept.forEach((item, index) => this.nested(indexName(index), item, tree));
    }
    this.writer.end(start);
  }
}

/** Applies a projection to a document. */
export function project(document: Value, projection: Projection): Value {
  const projector = new Projector(projection.isInclusion, document.end - document.start + 64);
  const { writer } = projector;
  const start = writer.begin();
  const idTree = projection.tree.children.get('_id');
  for (const [name, value] of fieldsOf(document)) {
    if (projection.computed.some(({ path }) => path[0] === name && path.length === 1)) continue;
    if (name === '_id' && idTree === undefined) {
      if (projection.keepsId) writer.raw(name, value);
    } else projector.field(name, value, projection.tree.children.get(name));
  }
  for (const { path, expression } of projection.computed) {
    const value = expression(document);
    if (value === undefined) continue;
    writer.value(
      path[0]!,
      path.slice(1).reduceRight<ReturnType<Expression>>((inner, part) => ({ [part]: inner }), value),
    );
  }
  writer.end(start);
  return documentOf(writer.finish());
}
