import { fail } from '../errors.ts';
import { compoundKey, emptyArray, keyOf, type KeyPart } from '../bson/key.ts';
import { fieldsOf, isArray, isNumber, itemsOf, numberOf, typeName, type Value } from '../bson/value.ts';
import { pathOf, walkPath, type Path } from './path.ts';

export type SortField = { readonly path: Path; readonly descending: boolean };

/** Parses a sort document. */
export function parseSort(document: Value | undefined): SortField[] {
  if (document === undefined) return [];
  const fields = fieldsOf(document).map(([name, direction]): SortField => {
    if (name === '$natural') fail('BadValue', '$natural sort is not supported by this store');
    if (name === '' || name.split('.').some((part) => part === ''))
      fail('Location15998', 'FieldPath field names may not be empty strings.');
    if (name.startsWith('$'))
      fail(16410, `FieldPath field names may not start with '$'. Consider using $getField or $setField.`);
    if (!isNumber(direction)) fail(15974, `Illegal key in $sort specification: ${name}: ${typeName(direction.type)}`);
    const order = numberOf(direction);
    if (order !== 1 && order !== -1) fail(15975, '$sort key ordering must be 1 (for ascending) or -1 (for descending)');
    return { path: pathOf(name), descending: order === -1 };
  });
  if (fields.length > 32) fail(13103, `too many keys in sort: ${fields.length}`);
  return fields;
}

function sortPart(document: Value, field: SortField): KeyPart {
  const candidates: KeyPart[] = [];
  walkPath(document, {
    path: field.path,
    expandsLeaf: false,
    visit: (value) => {
      if (!isArray(value)) candidates.push(value);
      else if (itemsOf(value).length === 0) candidates.push(emptyArray);
      else candidates.push(...itemsOf(value));
      return false;
    },
  });
  if (candidates.length < 2) return candidates[0];
  const keys = candidates.map(keyOf);
  const sign = field.descending ? -1 : 1;
  return candidates[keys.reduce((best, key, at) => (key.compare(keys[best]!) * sign < 0 ? at : best), 0)];
}

/** The key by which a document sorts: ascending by the smallest member of an array, descending by the largest. */
export function sortKeyOf(document: Value, sort: readonly SortField[]): Buffer {
  return compoundKey(
    sort.map((field) => sortPart(document, field)),
    sort.map((field) => field.descending),
  );
}
