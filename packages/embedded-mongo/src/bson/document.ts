import { ObjectId } from 'bson';
import { fail } from '../errors.ts';
import { documentOf, fieldsOf, findField, sizeOf, typeName, types, Value } from './value.ts';
import { BsonWriter } from './write.ts';

export const maxDocumentBytes = 16 * 1024 * 1024;
const maxDepth = 180;
const idName = Buffer.from('_id');
const refusedTypes: ReadonlySet<number> = new Set([
  types.decimal,
  types.undefined,
  types.dbPointer,
  types.javascript,
  types.symbol,
  types.javascriptWithScope,
]);

/** Checks that the bytes are a well-formed document of types that this store keeps. */
export function checkDocument(document: Value, depth = 0): void {
  const { bytes } = document;
  const end = document.end - 1;
  if (depth > maxDepth) fail('Overflow', `Document exceeds the nesting depth of ${maxDepth}`);
  let at = document.start + 4;
  while (at < end) {
    const type = bytes[at]!;
    const start = bytes.indexOf(0, at + 1) + 1;
    if (start === 0 || start > end) fail('InvalidBSON', 'malformed BSON: field name');
    const size = sizeOf(type, bytes, start);
    if (size < 0 || start + size > end) fail('InvalidBSON', 'malformed BSON: length of a value');
    if (refusedTypes.has(type)) fail('BadValue', `this store does not keep values of BSON type ${typeName(type)}`);
    if (type === types.object || type === types.array)
      checkDocument(new Value(type, bytes, { start, end: start + size }), depth + 1);
    at = start + size;
  }
  if (at !== end || bytes[end] !== 0) fail('InvalidBSON', 'malformed BSON: end of a document');
}

/** The `_id` of a document. */
export function idOf(document: Value): Value | undefined {
  return findField(document, idName);
}

/** Refuses a value that MongoDB does not take as `_id`. */
export function checkId(id: Value): void {
  if (id.type === types.array || id.type === types.regex || id.type === types.undefined) {
    fail('InvalidIdField', `The '_id' value cannot be of type ${typeName(id.type)}`);
  }
  if (id.type === types.object) {
    const dollar = fieldsOf(id).find(([name]) => name.startsWith('$'));
    if (dollar)
      fail(
        'DollarPrefixedFieldName',
        `_id fields may not contain '$'-prefixed fields: ${dollar[0]} is not valid for storage.`,
      );
  }
}

/** A new ObjectId as a value. */
export function newObjectId(): Value {
  return new Value(types.objectId, Buffer.from(new ObjectId().id), { start: 0, end: 12 });
}

/** Checks a document to be stored and puts its `_id` first, making one if it is missing. */
export function prepareForStorage(document: Value): { document: Value; id: Value } {
  if (document.end - document.start > maxDocumentBytes) {
    fail(
      'BSONObjectTooLarge',
      `object to insert too large. size in bytes: ${document.end - document.start}, max size: ${maxDocumentBytes}`,
    );
  }
  checkDocument(document);
  const id = idOf(document);
  if (id !== undefined) checkId(id);
  if (id !== undefined && id.start === document.start + 9) return { document, id };
  const first = id ?? newObjectId();
  const writer = new BsonWriter(document.end - document.start + 32);
  const start = writer.begin();
  writer.raw('_id', first);
  for (const [name, value] of fieldsOf(document)) if (name !== '_id') writer.raw(name, value);
  writer.end(start);
  return { document: documentOf(writer.finish()), id: first };
}
