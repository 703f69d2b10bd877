import type { Value } from '../bson/value.ts';
import type { Path } from './path.ts';

/** A parsed filter. */
export type Filter =
  | { kind: 'and' | 'or' | 'nor'; parts: Filter[] }
  | { kind: 'not'; part: Filter }
  | { kind: 'field'; path: Path; test: Test };

/** What one field is asked. */
export type Test =
  | { kind: 'eq' | 'gt' | 'gte' | 'lt' | 'lte'; value: Value }
  | { kind: 'in'; values: Value[]; patterns: Pattern[] }
  | { kind: 'regex'; pattern: Pattern }
  | { kind: 'exists' }
  | { kind: 'type'; types: ReadonlySet<number> }
  | { kind: 'size'; size: number }
  | { kind: 'elemMatch'; filter: Filter }
  | { kind: 'elemMatchValue'; tests: ElementTest[] };

/** A test inside `$elemMatch: {$gt: …}`, possibly negated. */
export type ElementTest = { test: Test; negated: boolean };

export type Pattern = {
  readonly expression: RegExp;
  /** Text that every match begins with, if the pattern is anchored and case-sensitive. */
  readonly prefix: string | undefined;
  readonly source: string;
  readonly options: string;
};

/** The filter that every document passes. */
export const everything: Filter = { kind: 'and', parts: [] };

/** Combines parts, without needless nesting. */
export function allOf(parts: Filter[]): Filter {
  return parts.length === 1 ? parts[0]! : { kind: 'and', parts };
}
