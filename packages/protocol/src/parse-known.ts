import type { z } from 'zod';

type Issue = z.core.$ZodIssue;
type UnknownField = readonly PropertyKey[];

/**
 * Parses what another part of Parley sent and ignores fields that this version doesn't know: during an update two
 * versions read each other. A missing required field or a wrong value is an error, as with `schema.safeParse`. The
 * given value isn't changed.
 */
export function safeParseKnown<Schema extends z.ZodType>(
  schema: Schema,
  value: unknown,
): z.ZodSafeParseResult<z.output<Schema>> {
  const result = schema.safeParse(value) as z.ZodSafeParseResult<z.output<Schema>>;
  if (result.success) return result;
  const unknown = result.error.issues.flatMap(unknownFieldsOf);
  if (unknown.length === 0) return result;
  return safeParseKnown(schema, without(unknown, value));
}

/** Like `safeParseKnown`; throws the `ZodError`. */
export function parseKnown<Schema extends z.ZodType>(schema: Schema, value: unknown): z.output<Schema> {
  const result = safeParseKnown(schema, value);
  if (result.success) return result.data;
  throw result.error;
}

/**
 * Returns the unknown fields without which the value would fit; for a union, those of the first member that would fit.
 */
function unknownFieldsOf(issue: Issue): UnknownField[] {
  if (issue.code === 'unrecognized_keys') return issue.keys.map((key) => [...issue.path, key]);
  if (issue.code !== 'invalid_union') return [];
  const fitting = issue.errors.find((issues) => issues.every((inner) => unknownFieldsOf(inner).length > 0)) ?? [];
  return fitting.flatMap(unknownFieldsOf).map((path) => [...issue.path, ...path]);
}

function without(fields: readonly UnknownField[], value: unknown): unknown {
  const copy = structuredClone(value);
  for (const field of fields) {
    const owner = field
      .slice(0, -1)
      .reduce((inner: unknown, key) => (inner as Record<PropertyKey, unknown>)[key], copy);
    Reflect.deleteProperty(owner as object, field.at(-1)!);
  }
  return copy;
}
