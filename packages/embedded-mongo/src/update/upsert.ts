import { fail } from '../errors.ts';
import { identicalValues } from '../bson/compare.ts';
import { DocNode, opened } from '../bson/node.ts';
import { documentOf, Value } from '../bson/value.ts';
import { encodeDocument } from '../bson/write.ts';
import type { Filter } from '../query/filter.ts';

function equalities(filter: Filter): [string, Value][] {
  if (filter.kind === 'and') return filter.parts.flatMap(equalities);
  if (filter.kind !== 'field') return [];
  if (filter.test.kind === 'eq') return [[filter.path.text, filter.test.value]];
  if (filter.test.kind === 'in' && filter.test.values.length === 1 && filter.test.patterns.length === 0)
    return [[filter.path.text, filter.test.values[0]!]];
  return [];
}

function put(root: DocNode, path: string, value: Value): void {
  const parts = path.split('.');
  let node = root;
  parts.forEach((part, at) => {
    const present = node.fields.get(part);
    if (at === parts.length - 1) {
      if (present !== undefined) fail(54, `cannot infer query fields to set, path '${path}' is matched twice`);
      node.fields.set(part, value);
      return;
    }
    const next = present === undefined ? new DocNode() : opened(present);
    if (!(next instanceof DocNode))
      return fail(
        54,
        `cannot infer query fields to set, both paths '${path}' and '${parts.slice(0, at + 1).join('.')}' are matched`,
      );
    node.fields.set(part, next);
    node = next;
  });
}

/** The document that an upsert starts from: what the filter says the fields equal. */
export function upsertSeed(filter: Filter, isReplacement: boolean): Value {
  const root = new DocNode();
  const seen = new Map<string, Value>();
  for (const [path, value] of equalities(filter)) {
    if (isReplacement && path !== '_id') continue;
    const before = seen.get(path);
    if (before && identicalValues(before, value)) continue;
    seen.set(path, value);
    put(root, path, value);
  }
  return documentOf(encodeDocument(root));
}
