import { fail } from '../errors.ts';
import { checkDocument, checkId, idOf, maxDocumentBytes, newObjectId } from '../bson/document.ts';
import { identicalValues } from '../bson/compare.ts';
import { describeValue } from '../bson/describe.ts';
import { DocNode, ListNode, opened, type Node } from '../bson/node.ts';
import { documentOf, fieldsOf, types, Value } from '../bson/value.ts';
import { BsonWriter, encodeDocument, nullValue } from '../bson/write.ts';
import type { Filter } from '../query/filter.ts';
import { applyOperator, createsPath, frozen, singleField, type Subject } from './operators.ts';
import type { Change, Update } from './parse-update.ts';
import { matchedPosition } from './position.ts';

/** What an update is applied to. */
export type UpdateInput = { document: Value; filter: Filter; update: Update; isInsert: boolean };

const maxPadding = 1_500_000;

function removed(parent: DocNode | ListNode, name: string): void {
  if (parent instanceof DocNode) parent.fields.delete(name);
  else if (Number(name) < parent.items.length) parent.items[Number(name)] = nullValue;
}

function placed(parent: DocNode | ListNode, name: string, node: Node): void {
  if (parent instanceof DocNode) {
    parent.fields.set(name, node);
    return;
  }
  const index = Number(name);
  if (index - parent.items.length > maxPadding) fail(301, `can't backfill array to larger than ${maxPadding} elements`);
  while (parent.items.length < index) parent.items.push(nullValue);
  parent.items[index] = node;
}

class Updater {
  private readonly input: UpdateInput;
  private readonly subject: Subject;
  private readonly arrayFilters: ReadonlyMap<string, { matches: (document: Value) => boolean }>;

  constructor(input: UpdateInput, arrayFilters: ReadonlyMap<string, { matches: (document: Value) => boolean }>) {
    this.input = input;
    this.arrayFilters = arrayFilters;
    this.subject = { idText: () => `_id: ${describeValue(idOf(input.document))}` };
  }

  apply(root: DocNode, change: Change): void {
    this.descend(root, this.positioned(change), 0);
  }

  /** Puts the position that the filter found in place of `$`. */
  private positioned(change: Change): Change {
    const at = change.path.indexOf('$');
    if (at < 0) return change;
    const position = this.input.isInsert
      ? undefined
      : matchedPosition(this.input.filter, this.input.document, change.path.slice(0, at).join('.'));
    if (position === undefined)
      return fail('BadValue', 'The positional operator did not find the match needed from the query.');
    return { ...change, path: change.path.map((part, index) => (index === at ? String(position) : part)) };
  }

  private descend(parent: DocNode | ListNode, change: Change, at: number): void {
    const name = change.path[at]!;
    if (name.startsWith('$[')) return this.everyMember(parent, change, at);
    if (parent instanceof ListNode && !/^(0|[1-9]\d*)$/.test(name)) {
      if (!createsPath(change)) return;
      fail(
        'PathNotViable',
        `Cannot create field '${name}' in element {${change.path[at - 1]}: ${describeValue(frozen(parent))}}`,
      );
    }
    const child = parent instanceof DocNode ? parent.fields.get(name) : parent.items[Number(name)];
    if (at === change.path.length - 1) return this.finish(parent, name, { child, change });
    if (child === undefined) {
      if (!createsPath(change)) return;
      const created = new DocNode();
      this.descend(created, change, at + 1);
      placed(parent, name, created);
      return;
    }
    const container = opened(child);
    if (container instanceof Value) {
      if (!createsPath(change)) return;
      return fail(
        'PathNotViable',
        `Cannot create field '${change.path[at + 1]}' in element {${name}: ${describeValue(container)}}`,
      );
    }
    placed(parent, name, container);
    this.descend(container, change, at + 1);
  }

  private finish(
    parent: DocNode | ListNode,
    name: string,
    { child, change }: { child: Node | undefined; change: Change },
  ): void {
    const result = applyOperator(child, change, this.subject);
    if (result === undefined) {
      if (child !== undefined) removed(parent, name);
    } else if (result !== child) placed(parent, name, result);
  }

  private everyMember(parent: DocNode | ListNode, change: Change, at: number): void {
    const before = change.path.slice(0, at).join('.');
    if (!(parent instanceof ListNode))
      fail(
        'BadValue',
        `Cannot apply array updates to non-array element ${change.path[at - 1]}: ${describeValue(frozen(parent))}`,
      );
    const identifier = change.path[at]!.slice(2, -1);
    const filter = identifier === '' ? undefined : this.arrayFilters.get(identifier);
    if (identifier !== '' && !filter)
      fail('BadValue', `No array filter found for identifier '${identifier}' in path '${before}'`);
    parent.items.forEach((item, index) => {
      if (filter && !filter.matches(documentOf(singleField(identifier, item)))) return;
      this.descend(
        parent,
        { ...change, path: change.path.map((part, position) => (position === at ? String(index) : part)) },
        at,
      );
    });
  }
}

function checkArrayPaths(root: Node, change: Change): void {
  const at = change.path.findIndex((part) => part.startsWith('$['));
  if (at < 0) return;
  let node: Node | undefined = root;
  for (const part of change.path.slice(0, at)) {
    const container: Node | undefined = node && opened(node);
    node =
      container instanceof DocNode
        ? container.fields.get(part)
        : container instanceof ListNode
          ? container.items[Number(part)]
          : undefined;
  }
  const path = change.path.slice(0, at).join('.');
  if (node === undefined)
    fail('BadValue', `The path '${path}' must exist in the document in order to apply array updates.`);
  const container = opened(node);
  if (!(container instanceof ListNode))
    fail(
      'BadValue',
      `Cannot apply array updates to non-array element ${change.path[at - 1]}: ${describeValue(frozen(node))}`,
    );
}

function withIdFirst(document: Value, id: Value): Value {
  const writer = new BsonWriter(document.end - document.start + 32);
  const start = writer.begin();
  writer.raw('_id', id);
  for (const [name, value] of fieldsOf(document)) if (name !== '_id') writer.raw(name, value);
  writer.end(start);
  return documentOf(writer.finish());
}

function stamped(document: Value): Value {
  const isZero = (value: Value): boolean =>
    value.type === types.timestamp && value.bytes.readBigUInt64LE(value.start) === 0n;
  return fieldsOf(document).some(([, value]) => isZero(value))
    ? fail('BadValue', 'this store does not fill in empty timestamps')
    : document;
}

function replaced(input: UpdateInput, replacement: Value): Value {
  const before = idOf(input.document);
  const after = idOf(replacement);
  if (before && after && !identicalValues(before, after) && !input.isInsert) {
    fail(
      'ImmutableField',
      `After applying the update, the (immutable) field '_id' was found to have been altered to _id: ${describeValue(after)}`,
    );
  }
  const id = input.isInsert ? (after ?? before ?? newObjectId()) : (before ?? newObjectId());
  return stamped(withIdFirst(replacement, id));
}

function changed(input: UpdateInput, update: Extract<Update, { changes: Change[] }>): Value {
  const root = new DocNode(fieldsOf(input.document));
  const updater = new Updater(input, update.arrayFilters);
  for (const change of update.changes) {
    if (change.operator === '$setOnInsert' && !input.isInsert) continue;
    checkArrayPaths(root, change);
    updater.apply(root, change);
  }
  const document = documentOf(encodeDocument(root, input.document.end + 256));
  const before = idOf(input.document);
  const after = idOf(document);
  if (before && (!after || !identicalValues(before, after)))
    fail('ImmutableField', "Performing an update on the path '_id' would modify the immutable field '_id'");
  return input.isInsert ? withIdFirst(document, after ?? newObjectId()) : document;
}

/** Applies an update to a document; the result is the same object if nothing changes. */
export function applyUpdate(input: UpdateInput): Value {
  const { update } = input;
  const result = 'replacement' in update ? replaced(input, update.replacement) : changed(input, update);
  if (!input.isInsert && identicalValues(result, input.document)) return input.document;
  if (result.end > maxDocumentBytes)
    fail('BSONObjectTooLarge', `Resulting document after update is larger than ${maxDocumentBytes}`);
  checkDocument(result);
  if (input.isInsert) checkId(idOf(result)!);
  return result;
}
