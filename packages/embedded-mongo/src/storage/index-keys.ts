import { fail } from '../errors.ts';
import { compoundKey, emptyArray, type KeyPart } from '../bson/key.ts';
import { findField, isArray, isObject, itemsOf, type Value } from '../bson/value.ts';
import type { Path } from '../query/path.ts';
import type { Index } from './index-spec.ts';

/** The keys of a document in an index, and which of its fields went through an array (one bit each). */
export type IndexKeys = { keys: Buffer[]; multikey: number };

type Walker = { readonly path: Path; part: KeyPart; at: number; done: boolean };

function finished(walker: Walker, part: KeyPart): Walker {
  return { path: walker.path, part, at: walker.at, done: true };
}

/** Follows a path through documents until its end or the next array. */
function advance(walker: Walker): Walker {
  let node = walker.part as Value | undefined;
  let { at } = walker;
  const { parts } = walker.path;
  while (at < parts.length) {
    if (isArray(node)) return { path: walker.path, part: node, at, done: false };
    if (!isObject(node)) return finished(walker, undefined);
    node = findField(node, parts[at]!.name);
    at++;
  }
  return { path: walker.path, part: node, at, done: !isArray(node) };
}

function enter(walker: Walker, item: Value): Walker {
  if (walker.at === walker.path.parts.length) return finished(walker, item);
  return isObject(item) ? advance({ ...walker, part: item }) : finished(walker, undefined);
}

class KeyCollector {
  readonly index: Index;
  readonly found = new Map<string, Buffer>();
  multikey = 0;

  constructor(index: Index) {
    this.index = index;
  }

  private emit(walkers: Walker[]): void {
    const parts = walkers.map((walker) => walker.part);
    if (this.index.sparse && parts.every((part) => part === undefined)) return;
    const key = compoundKey(parts, this.index.descending);
    this.found.set(key.toString('latin1'), key);
  }

  expand(walkers: Walker[]): void {
    const first = walkers.find((walker) => !walker.done);
    if (first === undefined) return this.emit(walkers);
    const array = first.part as Value;
    walkers.forEach((walker, position) => {
      if (walker.done) return;
      this.multikey |= 1 << position;
      if ((walker.part as Value).start !== array.start) {
        fail('CannotIndexParallelArrays', `cannot index parallel arrays [${walker.path.text}] [${first.path.text}]`);
      }
    });
    const items = itemsOf(array);
    if (items.length === 0) {
      this.expand(
        walkers.map((walker) =>
          walker.done ? walker : finished(walker, walker.at === walker.path.parts.length ? emptyArray : undefined),
        ),
      );
      return;
    }
    for (const item of items) this.expand(walkers.map((walker) => (walker.done ? walker : enter(walker, item))));
  }
}

/** Makes the keys of a document in an index: none if the index leaves the document out. */
export function indexKeysOf(document: Value, index: Index): IndexKeys {
  if (index.partial !== undefined && !index.partial.matches(document)) return { keys: [], multikey: 0 };
  const collector = new KeyCollector(index);
  collector.expand(index.paths.map((path) => advance({ path, part: document, at: 0, done: false })));
  return { keys: [...collector.found.values()], multikey: collector.multikey };
}
