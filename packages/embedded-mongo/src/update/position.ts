import { isArray, isObject, itemsOf, type Value } from '../bson/value.ts';
import type { Filter } from '../query/filter.ts';
import { compileFilter, compileTest, expandsLeaf } from '../query/matcher.ts';
import { fieldAt, pathOf, walkMember } from '../query/path.ts';

/** The conditions that every match meets. */
function required(filter: Filter): Filter[] {
  return filter.kind === 'and' ? filter.parts.flatMap(required) : [filter];
}

function memberTest(filter: Filter, arrayPath: string): ((item: Value) => boolean) | undefined {
  if (filter.kind !== 'field') return undefined;
  const { path, test } = filter;
  if (path.text === arrayPath) {
    if (test.kind === 'size' || test.kind === 'exists') return undefined;
    if (test.kind === 'elemMatch') {
      const matches = compileFilter(test.filter);
      return (item) => isObject(item) && matches(item);
    }
    if (test.kind === 'elemMatchValue') {
      const parts = test.tests.map((part) => ({ matches: compileTest(part.test), negated: part.negated }));
      return (item) => parts.every((part) => part.matches(item) !== part.negated);
    }
    return compileTest(test);
  }
  if (!path.text.startsWith(`${arrayPath}.`)) return undefined;
  const walk = { path, expandsLeaf: expandsLeaf(test), visit: compileTest(test) };
  const at = pathOf(arrayPath).parts.length;
  return (item) => walkMember(item, at, walk);
}

/** Which member of an array made a document match: what `$` stands for in an update path. */
export function matchedPosition(filter: Filter, document: Value, arrayPath: string): number | undefined {
  const array = fieldAt(document, pathOf(arrayPath));
  if (!isArray(array)) return undefined;
  const items = itemsOf(array);
  for (const condition of required(filter)) {
    const matches = memberTest(condition, arrayPath);
    const position = matches === undefined ? -1 : items.findIndex(matches);
    if (position >= 0) return position;
  }
  for (const condition of required(filter)) {
    if (condition.kind !== 'or') continue;
    for (const branch of condition.parts) {
      const position = compileFilter(branch)(document) ? matchedPosition(branch, document, arrayPath) : undefined;
      if (position !== undefined) return position;
    }
  }
  return undefined;
}
