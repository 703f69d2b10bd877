import { fail } from '../errors.ts';
import type { Filter } from './filter.ts';
import { isNarrow, type Plan } from './planner.ts';

/** What queries may not do; for tests, which find missing indexes by it. */
export type QueryGuard = {
  /** Documents that a query may examine. */
  readonly maxExamined: number;
  /** Queries with conditions that no index narrows fail. */
  readonly needsIndex: boolean;
};

export const unguarded: QueryGuard = { maxExamined: Number.POSITIVE_INFINITY, needsIndex: false };

/** Fails when the plan reads the whole collection although the query has conditions. */
export function checkPlan(
  guard: QueryGuard,
  plan: Plan,
  query: { readonly name: string; readonly filter: Filter },
): void {
  if (!guard.needsIndex || plan.kind === 'union' || isNarrow(plan) || plan.index?.partial) return;
  const fields = fieldsOf(query.filter);
  if (fields.length === 0) return;
  fail('OperationFailed', `a query on ${query.name} by ${fields.join(', ')} uses no index`);
}

function fieldsOf(filter: Filter): string[] {
  if (filter.kind === 'field') return [filter.path.text];
  if (filter.kind === 'not') return fieldsOf(filter.part);
  return [...new Set(filter.parts.flatMap(fieldsOf))];
}
