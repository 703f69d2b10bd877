import { fail } from '../errors.ts';
import { fieldsOf, findField, isArray, isObject, itemsOf, stringOf, types, type Value } from '../bson/value.ts';
import type { Encodable } from '../bson/write.ts';
import { pathOf, type Path } from './path.ts';

/** Computes a value from a document; undefined means missing. */
export type Expression = (document: Value) => Encodable;

/** Follows a path as expressions do: through an array it yields an array of what its members have. */
function evaluatePath(node: Value | undefined, path: Path, at: number): Encodable {
  if (node === undefined || at === path.parts.length) return node;
  if (isObject(node)) return evaluatePath(findField(node, path.parts[at]!.name), path, at + 1);
  if (!isArray(node)) return undefined;
  return itemsOf(node)
    .map((item) => (isObject(item) || isArray(item) ? evaluatePath(item, path, at) : undefined))
    .filter((value) => value !== undefined);
}

function parsePath(text: string): Expression {
  if (text.startsWith('$$')) {
    const rest = /^\$\$(ROOT|CURRENT)(?:\.(.+))?$/.exec(text);
    if (!rest) return fail(17276, `Use of undefined variable: ${text.slice(2).split('.')[0]}`);
    return rest[2] === undefined ? (document) => document : parsePath(`$${rest[2]}`);
  }
  const name = text.slice(1);
  if (name === '') fail(16872, "'$' by itself is not a valid FieldPath");
  if (name.split('.').some((part) => part === '')) fail(15998, 'FieldPath field names may not be empty strings.');
  if (name.split('.').some((part) => part.startsWith('$')))
    fail(16410, "FieldPath field names may not start with '$'. Consider using $getField or $setField.");
  const path = pathOf(name);
  return (document) => evaluatePath(document, path, 0);
}

/** Parses an expression: field paths, constants, and documents and arrays of them. Operators are refused. */
export function parseExpression(value: Value): Expression {
  if (value.type === types.string) {
    const text = stringOf(value);
    return text.startsWith('$') ? parsePath(text) : () => value;
  }
  if (isArray(value)) {
    const items = itemsOf(value).map(parseExpression);
    return (document) => items.map((item) => item(document) ?? null);
  }
  if (!isObject(value)) return () => value;
  const fields = fieldsOf(value);
  if (fields[0]?.[0] === '$literal' && fields.length === 1) return () => fields[0]![1];
  if (fields[0]?.[0].startsWith('$')) {
    if (fields.length > 1) fail(15983, 'an object representing an expression must have exactly one field');
    return fail('InvalidPipelineOperator', `Unrecognized expression '${fields[0]![0]}'`);
  }
  const parts = fields.map(([name, part]): [string, Expression] => [name, parseExpression(part)]);
  return (document) => Object.fromEntries(parts.map(([name, part]) => [name, part(document)]));
}
