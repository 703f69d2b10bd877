import { findField, isArray, isObject, itemsOf, Value } from '../bson/value.ts';

/** A dotted path, prepared for walking raw documents. */
export type Path = { readonly text: string; readonly parts: readonly PathPart[] };
export type PathPart = {
  readonly text: string;
  readonly name: Buffer;
  /** Position in an array, or -1. */ readonly index: number;
};

const cache = new Map<string, Path>();

/** Prepares a dotted path. */
export function pathOf(text: string): Path {
  const known = cache.get(text);
  if (known) return known;
  const parts = text
    .split('.')
    .map((part) => ({
      text: part,
      name: Buffer.from(part, 'utf8'),
      index: /^(0|[1-9]\d{0,8})$/.test(part) ? Number(part) : -1,
    }));
  const path = { text, parts };
  if (cache.size > 5000) cache.clear();
  cache.set(text, path);
  return path;
}

/** Called for each value that a path leads to (undefined: missing); true ends the walk. */
export type Visit = (value: Value | undefined) => boolean;

type Walk = { readonly path: Path; readonly expandsLeaf: boolean; readonly visit: Visit };

function visitLeaf(walk: Walk, value: Value | undefined): boolean {
  if (walk.expandsLeaf && isArray(value)) {
    for (const item of itemsOf(value)) if (walk.visit(item)) return true;
  }
  return walk.visit(value);
}

function walkObject(walk: Walk, node: Value, at: number): boolean {
  const value = findField(node, walk.path.parts[at]!.name);
  if (at === walk.path.parts.length - 1) return visitLeaf(walk, value);
  if (isObject(value)) return walkObject(walk, value, at + 1);
  if (isArray(value)) return walkArray(walk, value, at + 1);
  return walk.visit(undefined);
}

function walkArray(walk: Walk, array: Value, at: number): boolean {
  const { index } = walk.path.parts[at]!;
  const isLast = at === walk.path.parts.length - 1;
  return itemsOf(array).some((item, position) => {
    if (isObject(item) && walkObject(walk, item, at)) return true;
    if (position !== index) return false;
    if (isLast) return visitLeaf(walk, item);
    if (isObject(item)) return walkObject(walk, item, at + 1);
    return isArray(item) ? walkArray(walk, item, at + 1) : false;
  });
}

/**
 * Walks a path as MongoDB's matcher does: arrays on the way are entered, numbers in the path also address positions.
 * With
 * `expandsLeaf` an array at the end is visited member by member and then as a whole.
 */
export function walkPath(document: Value, walk: Walk): boolean {
  return walkObject(walk, document, 0);
}

/** Follows a path inside arrays too, from a member of the array on which the path goes on at part `at`. */
export function walkMember(member: Value, at: number, walk: Walk): boolean {
  if (at === walk.path.parts.length) return visitLeaf(walk, member);
  if (isObject(member)) return walkObject(walk, member, at);
  return false;
}

/** Follows a path through documents only; an array on the way makes it missing. */
export function fieldAt(document: Value, path: Path): Value | undefined {
  let node: Value | undefined = document;
  for (const part of path.parts) {
    if (!isObject(node)) return undefined;
    node = findField(node, part.name);
  }
  return node;
}
