import { fieldsOf, itemsOf, types, Value } from './value.ts';

/** A document or list opened for change; what is not opened stays raw bytes. */
export type Node = Value | DocNode | ListNode;

export class DocNode {
  readonly fields: Map<string, Node>;

  constructor(fields: Iterable<[string, Node]> = []) {
    this.fields = new Map(fields);
  }
}

export class ListNode {
  readonly items: Node[];

  constructor(items: Node[] = []) {
    this.items = items;
  }
}

/** Opens one level of a document or array; a scalar is returned as it is. */
export function opened(node: Node): Node {
  if (!(node instanceof Value)) return node;
  if (node.type === types.object) return new DocNode(fieldsOf(node));
  if (node.type === types.array) return new ListNode(itemsOf(node));
  return node;
}
