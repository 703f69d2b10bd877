import { fail } from '../errors.ts';
import {
  fieldsOf,
  isArray,
  isNumber,
  isObject,
  isTruthy,
  itemsOf,
  numberOf,
  stringOf,
  typeName,
  types,
  type Value,
} from '../bson/value.ts';

/** Arguments that every command may carry; the dispatcher reads them. */
const genericFields = new Set([
  '$db',
  'lsid',
  'txnNumber',
  'autocommit',
  'startTransaction',
  'readConcern',
  'writeConcern',
  '$readPreference',
  '$clusterTime',
  'comment',
  'maxTimeMS',
  'apiVersion',
  'apiStrict',
  'apiDeprecationErrors',
  'stmtId',
  '$audit',
  '$client',
]);

/** Reads the arguments of a command, or of one statement in it, and refuses what it doesn't know. */
export class Args {
  /** What messages call this document: the command, or `update.updates`. */
  readonly name: string;
  private readonly fields: Map<string, Value>;
  private readonly sequences: ReadonlyMap<string, Value[]>;

  constructor(name: string, document: Value, sequences: ReadonlyMap<string, Value[]> = new Map()) {
    this.name = name;
    this.fields = new Map(fieldsOf(document));
    this.sequences = sequences;
  }

  /** Refuses arguments outside a list. */
  allowOnly(names: readonly string[], allowsGeneric = true): void {
    for (const field of [...this.fields.keys(), ...this.sequences.keys()]) {
      if (names.includes(field) || (allowsGeneric && (field === this.name || genericFields.has(field)))) continue;
      fail('Location40415', `BSON field '${this.name}.${field}' is an unknown field.`);
    }
  }

  has(name: string): boolean {
    return this.fields.has(name) || this.sequences.has(name);
  }

  value(name: string): Value | undefined {
    const value = this.fields.get(name);
    return value?.type === types.null ? undefined : value;
  }

  private mismatch(name: string, value: Value, expected: string): never {
    return fail(
      'TypeMismatch',
      `BSON field '${this.name}.${name}' is the wrong type '${typeName(value.type)}', expected type '${expected}'`,
    );
  }

  string(name: string): string | undefined {
    const value = this.value(name);
    if (value === undefined) return undefined;
    return value.type === types.string ? stringOf(value) : this.mismatch(name, value, 'string');
  }

  /** Whether it is this text; a comment can be of any type. */
  isText(name: string, text: string): boolean {
    const value = this.value(name);
    return value?.type === types.string && stringOf(value) === text;
  }

  document(name: string): Value | undefined {
    const value = this.value(name);
    if (value === undefined) return undefined;
    return isObject(value) ? value : this.mismatch(name, value, 'object');
  }

  boolean(name: string, otherwise: boolean): boolean {
    const value = this.value(name);
    if (value === undefined) return otherwise;
    return value.type === types.bool || isNumber(value) ? isTruthy(value) : this.mismatch(name, value, 'bool');
  }

  number(name: string): number | undefined {
    const value = this.value(name);
    if (value === undefined) return undefined;
    return isNumber(value) ? numberOf(value) : this.mismatch(name, value, 'long');
  }

  /** A whole number that isn't negative. */
  count(name: string): number | undefined {
    const number = this.number(name);
    if (number === undefined) return undefined;
    if (!Number.isInteger(number)) fail('FailedToParse', `Expected an integer in: ${name}: ${number}`);
    if (number < 0) fail(51024, `BSON field '${name}' value must be >= 0, actual value '${number}'`);
    return number;
  }

  list(name: string): Value[] | undefined {
    const sequence = this.sequences.get(name);
    if (sequence) return sequence;
    const value = this.value(name);
    if (value === undefined) return undefined;
    return isArray(value) ? itemsOf(value) : this.mismatch(name, value, 'array');
  }

  /** Documents that must be there: the statements of a write. */
  statements(name: string): Value[] {
    const list = this.list(name);
    if (list === undefined) return fail(40414, `BSON field '${this.name}.${name}' is missing but a required field`);
    if (list.length === 0 || list.length > 100_000)
      fail('InvalidLength', `Write batch sizes must be between 1 and 100000. Got ${list.length} operations.`);
    for (const item of list) if (!isObject(item)) this.mismatch(name, item, 'object');
    return list;
  }

  required(name: string): Value {
    return this.value(name) ?? fail(40414, `BSON field '${this.name}.${name}' is missing but a required field`);
  }

  /** Refuses options of MongoDB that are outside this store's contract, unless they ask for nothing. */
  refuse(names: readonly string[]): void {
    for (const name of names) {
      const value = this.value(name);
      if (
        value === undefined ||
        (!isTruthy(value) && !isObject(value)) ||
        (isObject(value) && fieldsOf(value).length === 0)
      )
        continue;
      if (name === 'collation' && isSimpleCollation(value)) continue;
      fail('NotImplemented', `the option '${name}' of ${this.name} is not supported by this store`);
    }
  }
}

function isSimpleCollation(value: Value): boolean {
  const fields = isObject(value) ? fieldsOf(value) : [];
  return (
    fields.length === 1 &&
    fields[0]![0] === 'locale' &&
    fields[0]![1].type === types.string &&
    stringOf(fields[0]![1]) === 'simple'
  );
}
