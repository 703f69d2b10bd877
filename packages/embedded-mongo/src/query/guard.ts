import { fail } from '../errors.ts';
import type { Filter } from './filter.ts';
import { hasNarrowIndex, type PlanRequest } from './planner.ts';

/** What queries may not do; for tests, which find missing indexes by it. */
export type QueryGuard = {
  /** Documents that a query may examine. */
  readonly maxExamined: number;
  /** Queries with conditions that no index narrows fail. */
  readonly needsIndex: boolean;
  /** Documents that one command, or all commands of one transaction, may write. */
  readonly maxWritten: number;
};

export const unguarded: QueryGuard = {
  maxExamined: Number.POSITIVE_INFINITY,
  needsIndex: false,
  maxWritten: Number.POSITIVE_INFINITY,
};

/** Fails when the query has conditions and would read the whole collection. */
export function checkIndex(guard: QueryGuard, request: PlanRequest): void {
  if (!guard.needsIndex) return;
  const fields = fieldsOf(request.filter);
  if (fields.length === 0 || hasNarrowIndex(request)) return;
  const { database, name } = request.collection;
  fail('OperationFailed', `a query on ${database}.${name} by ${fields.join(', ')} uses no index`);
}

function fieldsOf(filter: Filter): string[] {
  if (filter.kind === 'field') return [filter.path.text];
  if (filter.kind === 'not') return fieldsOf(filter.part);
  return [...new Set(filter.parts.flatMap(fieldsOf))];
}
