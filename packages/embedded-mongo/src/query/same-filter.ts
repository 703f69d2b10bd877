import { identicalValues } from '../bson/compare.ts';
import type { Filter } from './filter.ts';

/** Whether two conditions are written alike. Unequal answers may still mean the same: callers only lose an index. */
export function isSamePart(a: Filter, b: Filter): boolean {
  if (a.kind === 'not' && b.kind === 'not') return isSamePart(a.part, b.part);
  if (a.kind === 'and' && b.kind === 'and')
    return a.parts.length === b.parts.length && a.parts.every((part, at) => isSamePart(part, b.parts[at]!));
  if (a.kind !== 'field' || b.kind !== 'field' || a.path.text !== b.path.text || a.test.kind !== b.test.kind)
    return false;
  if ('value' in a.test && 'value' in b.test) return identicalValues(a.test.value, b.test.value);
  return a.test.kind === 'exists';
}
