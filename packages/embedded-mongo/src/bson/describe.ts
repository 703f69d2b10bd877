import {
  dateOf,
  fieldsOf,
  integerOf,
  isTruthy,
  itemsOf,
  numberOf,
  regexOf,
  stringOf,
  typeName,
  types,
  type Value,
} from './value.ts';

/** Shows a value in an error message, much as the MongoDB shell would. */
export function describeValue(value: Value | null | undefined): string {
  if (value === null || value === undefined || value.type === types.null) return 'null';
  switch (value.type) {
    case types.string:
      return JSON.stringify(stringOf(value));
    case types.int:
    case types.long:
      return String(integerOf(value));
    case types.double:
      return Number.isInteger(numberOf(value)) ? `${numberOf(value)}.0` : String(numberOf(value));
    case types.bool:
      return String(isTruthy(value));
    case types.objectId:
      return `ObjectId('${value.bytes.toString('hex', value.start, value.end)}')`;
    case types.date:
      return `new Date(${dateOf(value)})`;
    case types.object: {
      const fields = fieldsOf(value).map(([name, field]) => `${name}: ${describeValue(field)}`);
      return fields.length === 0 ? '{}' : `{ ${fields.join(', ')} }`;
    }
    case types.array: {
      const items = itemsOf(value).map(describeValue);
      return items.length === 0 ? '[]' : `[ ${items.join(', ')} ]`;
    }
    case types.regex:
      return `/${regexOf(value).pattern}/${regexOf(value).options}`;
    case types.binData:
      return `BinData(${value.bytes[value.start + 4]}, ${value.bytes.toString('hex', value.start + 5, value.end).toUpperCase()})`;
    default:
      return typeName(value.type);
  }
}
