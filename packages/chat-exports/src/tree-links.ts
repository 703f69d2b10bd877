import type { ChatNode } from './chat-node.ts';

export type Linked = {
  readonly nodes: readonly ChatNode[];
  /** Indices of `nodes`, parents before children, siblings in the order of their times or else of the source. */
  readonly order: readonly number[];
  /** By index of the node: that of its parent, -1 for a root. */
  readonly parents: readonly number[];
};

/** Gives each node an id of its own. What is the same node twice is one. */
function withOwnIds(given: readonly ChatNode[]): ChatNode[] {
  const byId = new Map<string, ChatNode>();
  for (const node of given) {
    const known = byId.get(node.id);
    if (!known) byId.set(node.id, node);
    else if (known.text !== node.text || known.role !== node.role || known.parentId !== node.parentId) {
      let number = 2;
      while (byId.has(`${node.id}~${number}`)) number += 1;
      byId.set(`${node.id}~${number}`, { ...node, id: `${node.id}~${number}` });
    }
  }
  return [...byId.values()];
}

/** By the parents that nodes name, else by the children. A parent that isn't there is none. */
function parentsOf(nodes: readonly ChatNode[]): number[] {
  const places = new Map(nodes.map(({ id }, at) => [id, at]));
  const claimed = new Map<number, number>();
  for (const [at, { childIds = [] }] of nodes.entries())
    for (const id of childIds) {
      const child = places.get(id);
      if (child !== undefined && child !== at && !claimed.has(child)) claimed.set(child, at);
    }
  return nodes.map(({ parentId }, at) => {
    const named = parentId === null ? undefined : places.get(parentId);
    return (named === at ? undefined : named) ?? claimed.get(at) ?? -1;
  });
}

/** Children by index of their parent, roots by -1. */
function childrenOf(nodes: readonly ChatNode[], parents: readonly number[]): Map<number, number[]> {
  const children = new Map<number, number[]>();
  for (const [at, parent] of parents.entries()) {
    const siblings = children.get(parent);
    if (siblings) siblings.push(at);
    else children.set(parent, [at]);
  }
  for (const siblings of children.values()) {
    const times = new Map(siblings.map((at) => [at, nodes[at]!.createdAt?.getTime()]));
    // Only some times would make an order that contradicts itself.
    if ([...times.values()].includes(undefined)) continue;
    siblings.sort((one, other) => times.get(one)! - times.get(other)! || one - other);
  }
  return children;
}

/** The first node, in the order of the source, of the cycle that is above this one. */
function firstOfCycle(from: number, parents: readonly number[]): number {
  const above = new Set<number>();
  let at = from;
  while (!above.has(at)) {
    above.add(at);
    at = parents[at]!;
  }
  let first = at;
  for (let next = parents[at]!; next !== at; next = parents[next]!) first = Math.min(first, next);
  return first;
}

/** Links nodes to a forest without trusting them. Null if no node is a root: nobody can say where it begins. */
export function linked(given: readonly ChatNode[]): Linked | null {
  const nodes = withOwnIds(given);
  const parents = parentsOf(nodes);
  const children = childrenOf(nodes, parents);
  const roots = children.get(-1) ?? [];
  if (roots.length === 0 && nodes.length > 0) return null;
  const order: number[] = [];
  const isSeen = new Uint8Array(nodes.length);
  const follow = (root: number): void => {
    const open = [root];
    for (let at = open.pop(); at !== undefined; at = open.pop()) {
      if (isSeen[at]) continue;
      isSeen[at] = 1;
      order.push(at);
      for (const child of (children.get(at) ?? []).toReversed()) open.push(child);
    }
  };
  for (const root of roots) follow(root);
  for (let at = 0; at < nodes.length; at += 1) {
    if (isSeen[at]) continue;
    const first = firstOfCycle(at, parents);
    parents[first] = -1;
    follow(first);
  }
  return { nodes, order, parents };
}
