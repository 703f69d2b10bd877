import type { Collection } from '../storage/catalog.ts';
import { countEntries, openScan } from '../storage/scan.ts';
import type { Target } from '../storage/target.ts';
import type { Filter } from './filter.ts';
import { checkIndex, type QueryGuard } from './guard.ts';
import { compileFilter, type Matcher } from './matcher.ts';
import { choosePlan, type KeyRange, type Plan } from './planner.ts';
import type { Index } from '../storage/index-spec.ts';
import type { SortField } from './sort.ts';
import {
  ChainStage,
  FilterStage,
  GuardStage,
  ListStage,
  MergeStage,
  SortStage,
  WindowStage,
  type Row,
  type Stage,
} from './stages.ts';

/** A query on one collection. */
export type Query = {
  target: Target;
  collection: Collection | undefined;
  filter: Filter;
  sort: readonly SortField[];
  skip: number;
  /** 0 means all. */
  limit: number;
  guard: QueryGuard;
};

const estimateCap = 2000;

function planFor(query: Query, collection: Collection): Plan {
  const { target, filter, sort } = query;
  const limit = query.limit === 0 ? 0 : query.limit + query.skip;
  const estimate = (index: Index, ranges: KeyRange[], cap: number): number =>
    countEntries({ target, collection }, index, { ranges, cap: Math.min(cap, estimateCap) });
  const request = { collection, filter, sort, limit, version: target.version, estimate };
  checkIndex(query.guard, request);
  return choosePlan(request);
}

function candidates(query: Query, collection: Collection, matches: Matcher): { stage: Stage; isSorted: boolean } {
  const { target } = query;
  const changed = target.changed(collection).filter((row) => matches(row.doc));
  const isPlain = query.sort.length === 0;
  if (!target.hasTable(collection)) return { stage: new ListStage(changed), isSorted: isPlain };
  const plan = planFor(query, collection);
  const name = `${collection.database}.${collection.name}`;
  const limit = query.limit === 0 || !(isPlain || plan.providesSort) ? 0 : query.limit + query.skip;
  const scan = openScan({ target, collection }, plan, limit);
  const { maxExamined } = query.guard;
  const guarded = Number.isFinite(maxExamined) ? new GuardStage(scan, { most: maxExamined, name }) : scan;
  const accepts = (row: Row): boolean => (plan.isCovered || matches(row.doc)) && !target.isHidden(collection, row.rid);
  const stage = new FilterStage(guarded, accepts);
  if (changed.length === 0) return { stage, isSorted: isPlain || plan.providesSort };
  if (plan.providesSort) return { stage: new MergeStage(stage, changed, query.sort), isSorted: true };
  return { stage: new ChainStage([stage, new ListStage(changed)]), isSorted: isPlain };
}

/** Opens a query: its rows in order, windowed. */
export function openQuery(query: Query): Stage {
  if (query.collection === undefined) return new ListStage([]);
  const { stage, isSorted } = candidates(query, query.collection, compileFilter(query.filter));
  const sorted = isSorted ? stage : new SortStage(stage, query.sort, query.limit === 0 ? 0 : query.limit + query.skip);
  return query.skip === 0 && query.limit === 0 ? sorted : new WindowStage(sorted, query.skip, query.limit);
}

/** The number of matching documents, if the entries of an index tell it without reading a document. */
export function countByIndex(query: Query): number | undefined {
  const { target, collection, filter } = query;
  if (collection === undefined) return 0;
  if (
    !target.hasTable(collection) ||
    target.changed(collection).length > 0 ||
    target.version !== Number.POSITIVE_INFINITY
  )
    return undefined;
  if (filter.kind === 'and' && filter.parts.length === 0)
    return Number(target.sqlite.get(`SELECT count(*) FROM c${collection.id}`)![0]);
  const plan = planFor({ ...query, sort: [], skip: 0, limit: 0 }, collection);
  if (plan.kind !== 'index' || !plan.isCovered) return undefined;
  const ranges = plan.streams.flatMap((stream) => stream.ranges);
  const cap = query.limit === 0 ? Number.POSITIVE_INFINITY : query.skip + query.limit;
  return countEntries({ target, collection }, plan.index!, { ranges, cap });
}
