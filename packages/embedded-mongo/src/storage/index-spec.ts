import { fail, StoreError } from '../errors.ts';
import { identicalValues } from '../bson/compare.ts';
import {
  documentOf,
  fieldsOf,
  getField,
  isNumber,
  isObject,
  isTruthy,
  numberOf,
  stringOf,
  typeName,
  types,
  type Value,
} from '../bson/value.ts';
import { encodeDocument, type Encodable } from '../bson/write.ts';
import type { Filter } from '../query/filter.ts';
import { compileFilter, type Matcher } from '../query/matcher.ts';
import { parseFilter } from '../query/parse-filter.ts';
import { pathOf, type Path } from '../query/path.ts';

/** An index as the planner and the writer see it. */
export type Index = {
  /** Number of its side table; 0 is the index on `_id`, which is a column of the collection's table. */
  readonly id: number;
  readonly name: string;
  readonly paths: readonly Path[];
  readonly descending: readonly boolean[];
  readonly unique: boolean;
  readonly sparse: boolean;
  readonly partial: { filter: Filter; matches: Matcher } | undefined;
  readonly expireAfterSeconds: number | undefined;
  /** Bit per field that went through an array in some document. */
  multikey: number;
  /** The specification as `listIndexes` returns it. */
  readonly spec: Value;
  /** Data version at which it was made: older snapshots lack it. */
  readonly since: number;
};

const knownOptions = new Set([
  'v',
  'key',
  'name',
  'unique',
  'sparse',
  'partialFilterExpression',
  'expireAfterSeconds',
  'background',
  'ns',
]);

function checkKey(key: Value | undefined): asserts key is Value {
  if (!isObject(key)) fail('FailedToParse', "The 'key' field is a required property of an index specification");
  const fields = fieldsOf(key);
  if (fields.length === 0) fail('CannotCreateIndex', 'Index keys cannot be empty.');
  if (fields.length > 31) fail('CannotCreateIndex', 'an index has at most 31 fields');
  const seen = new Set<string>();
  for (const [name, direction] of fields) {
    if (direction.type === types.string)
      fail('CannotCreateIndex', `index type '${stringOf(direction)}' is not supported by this store`);
    if (!isNumber(direction) || numberOf(direction) === 0 || Number.isNaN(numberOf(direction))) {
      fail(
        'CannotCreateIndex',
        `Values in v:2 index key pattern cannot be of type ${typeName(direction.type)} or zero`,
      );
    }
    const parts = name.split('.');
    if (parts.some((part) => part === '')) fail('CannotCreateIndex', 'Index keys cannot contain an empty field.');
    if (parts.some((part) => part.startsWith('$')))
      fail('CannotCreateIndex', `Index key contains an illegal field name: field name starts with '$': ${name}`);
    if (parts.some((part) => /^\d+$/.test(part)))
      fail('CannotCreateIndex', `positions inside arrays cannot be indexed in this store: ${name}`);
    if (seen.has(name)) fail('BadValue', `the index key has the field ${name} twice`);
    seen.add(name);
  }
}

function expiryOf(spec: Value, key: Value): number | undefined {
  const option = getField(spec, 'expireAfterSeconds');
  if (option === undefined) return undefined;
  const seconds = numberOf(option);
  if (!isNumber(option) || seconds < 0 || seconds > 2_147_483_647 || Number.isNaN(seconds)) {
    fail(
      'CannotCreateIndex',
      `TTL index 'expireAfterSeconds' option must be within an acceptable range, found ${seconds}`,
    );
  }
  const [first, ...others] = fieldsOf(key);
  if (others.length > 0)
    fail('CannotCreateIndex', 'TTL indexes are single-field indexes, compound indexes do not support TTL.');
  if (first![0] === '_id')
    fail('InvalidOptions', "The field 'expireAfterSeconds' is not valid for an _id index specification");
  return seconds;
}

function partialOf(spec: Value): Index['partial'] {
  const option = getField(spec, 'partialFilterExpression');
  if (option === undefined) return undefined;
  if (!isObject(option)) fail('TypeMismatch', "The field 'partialFilterExpression' must be an object");
  try {
    const filter = parseFilter(option);
    return { filter, matches: compileFilter(filter) };
  } catch (error) {
    throw error instanceof StoreError
      ? new StoreError('CannotCreateIndex', `unsupported expression in partial index: ${error.message}`)
      : error;
  }
}

function isOn(spec: Value, name: string): boolean {
  const option = getField(spec, name);
  if (option !== undefined && option.type !== types.bool && !isNumber(option)) {
    fail(
      'TypeMismatch',
      `The field '${name}' has value of type ${typeName(option.type)}, which is not convertible to bool`,
    );
  }
  return isTruthy(option);
}

/** Checks an index specification of a client and brings it into the stored form. */
export function normaliseIndexSpec(spec: Value): Value {
  if (!isObject(spec)) fail('TypeMismatch', 'an index specification must be an object');
  const unknown = fieldsOf(spec).find(([name]) => !knownOptions.has(name));
  if (unknown) {
    const isKnownToMongo = [
      'collation',
      'hidden',
      'weights',
      'default_language',
      'language_override',
      'textIndexVersion',
      '2dsphereIndexVersion',
      'bits',
      'min',
      'max',
      'bucketSize',
      'wildcardProjection',
      'storageEngine',
      'clustered',
      'prepareUnique',
    ];
    if (isKnownToMongo.includes(unknown[0]))
      fail('CannotCreateIndex', `the index option '${unknown[0]}' is not supported by this store`);
    fail(197, `The field '${unknown[0]}' is not valid for an index specification.`);
  }
  const key = getField(spec, 'key');
  checkKey(key);
  const name = getField(spec, 'name');
  if (name === undefined || name.type !== types.string)
    fail('FailedToParse', "The 'name' field is a required property of an index specification");
  if (stringOf(name) === '*' || stringOf(name) === '')
    fail('CannotCreateIndex', `The index name '${stringOf(name)}' is not valid.`);
  const isIdIndex = stringOf(name) === '_id_' && fieldsOf(key).length === 1;
  const stored: Record<string, Encodable> = { v: 2, key, name };
  if (isOn(spec, 'unique') && !isIdIndex) stored.unique = true;
  if (isOn(spec, 'sparse')) stored.sparse = true;
  const expireAfterSeconds = expiryOf(spec, key);
  if (expireAfterSeconds !== undefined) stored.expireAfterSeconds = expireAfterSeconds;
  const partial = getField(spec, 'partialFilterExpression');
  if (partialOf(spec) && partial) {
    if (stored.sparse) fail('CannotCreateIndex', 'cannot mix "partialFilterExpression" and "sparse" options');
    stored.partialFilterExpression = partial;
  }
  return documentOf(encodeDocument(stored));
}

/** Makes the working form of a stored index specification. */
export function indexFrom(spec: Value, row: { id: number; multikey: number; since: number }): Index {
  const key = getField(spec, 'key')!;
  const fields = fieldsOf(key);
  return {
    ...row,
    name: stringOf(getField(spec, 'name')!),
    paths: fields.map(([name]) => pathOf(name)),
    descending: fields.map(([, direction]) => numberOf(direction) < 0),
    unique: row.id === 0 || isTruthy(getField(spec, 'unique')),
    sparse: isTruthy(getField(spec, 'sparse')),
    partial: partialOf(spec),
    expireAfterSeconds: expiryOf(spec, key),
    spec,
  };
}

/** The index on `_id` that every collection has. */
export function idIndex(): Index {
  return indexFrom(documentOf(encodeDocument({ v: 2, key: { _id: 1 }, name: '_id_' })), {
    id: 0,
    multikey: 0,
    since: 0,
  });
}

/** Whether two specifications say the same, whatever their number types. */
export function sameIndexOptions(a: Value, b: Value): boolean {
  const options = ['unique', 'sparse', 'expireAfterSeconds', 'partialFilterExpression'];
  return options.every((name) => {
    const x = getField(a, name);
    const y = getField(b, name);
    if (x === undefined || y === undefined) return x === y;
    return isNumber(x) && isNumber(y) ? numberOf(x) === numberOf(y) : identicalValues(x, y);
  });
}

/** Whether two specifications have the same fields in the same directions. */
export function sameIndexKey(a: Value, b: Value): boolean {
  const x = fieldsOf(getField(a, 'key')!);
  const y = fieldsOf(getField(b, 'key')!);
  return (
    x.length === y.length &&
    x.every(([name, direction], at) => y[at]![0] === name && numberOf(direction) > 0 === numberOf(y[at]![1]) > 0)
  );
}
