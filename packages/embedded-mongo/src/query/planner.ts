import { after, inverted } from '../bson/key.ts';
import type { Collection } from '../storage/catalog.ts';
import type { Index } from '../storage/index-spec.ts';
import { allowsMissing, boundsOf, isWithin, type Bounds, type Interval } from './bounds.ts';
import type { Filter } from './filter.ts';
import type { SortField } from './sort.ts';
import { isSamePart } from './same-filter.ts';

/** A half-open range of index keys. */
export type KeyRange = { lo: Buffer; hi: Buffer };

/** How to find the candidates of a query. They are tested against the filter again unless `isCovered`. */
export type Plan = {
  readonly kind: 'table' | 'index' | 'union';
  readonly index: Index | undefined;
  /** Each stream is in key order; several are merged by what follows their prefix. */
  readonly streams: { prefix: number; ranges: KeyRange[] }[];
  readonly isReverse: boolean;
  readonly providesSort: boolean;
  /** Each range holds one value of all the index's fields. */
  readonly hasOnlyPoints: boolean;
  /** The ranges hold exactly the documents that match. */
  readonly isCovered: boolean;
  /** A document may turn up more than once. */
  readonly hasDuplicates: boolean;
  readonly branches: Plan[];
};

export type PlanRequest = {
  collection: Collection;
  filter: Filter;
  sort: readonly SortField[];
  /** Documents that are wanted at most; 0 means all. */
  limit: number;
  /** Snapshots older than an index can't use it. */
  version: number;
  /** Rows in ranges of an index, counted no further than the cap. */
  estimate: (index: Index, ranges: KeyRange[], cap: number) => number;
};

const maxPrefixes = 2000;
const end = Buffer.from([0xff]);
const tablePlan: Plan = {
  kind: 'table',
  index: undefined,
  streams: [],
  isReverse: false,
  providesSort: false,
  hasOnlyPoints: false,
  isCovered: false,
  hasDuplicates: false,
  branches: [],
};

function topLevel(filter: Filter): Filter[] {
  return filter.kind === 'and' ? filter.parts.flatMap(topLevel) : [filter];
}

function isUsable(index: Index, filter: Filter): boolean {
  if (index.sparse) {
    const excludesMissing = index.paths.some((path, at) => {
      const bounds = boundsOf(filter, { path, isMultikey: isMultikeyAt(index, at) });
      return bounds !== undefined && !allowsMissing(bounds.intervals);
    });
    if (!excludesMissing) return false;
  }
  return index.partial === undefined || topLevel(index.partial.filter).every((part) => isImplied(part, filter));
}

/** Whether whatever passes the filter also passes a part of a partial index's expression. */
function isImplied(part: Filter, filter: Filter): boolean {
  if (topLevel(filter).some((own) => isSamePart(own, part))) return true;
  if (part.kind !== 'field') return false;
  const query = { path: part.path, isMultikey: true };
  const asked = boundsOf(filter, query);
  if (asked === undefined) return false;
  if (part.test.kind === 'exists') return !allowsMissing(asked.intervals);
  const needed = boundsOf(part, query);
  return needed !== undefined && needed.exact.length > 0 && isWithin(asked.intervals, needed.intervals);
}

function isMultikeyAt(index: Index, at: number): boolean {
  return (index.multikey & (1 << at)) !== 0;
}

function directed(interval: Interval, descending: boolean): { lo: Buffer; hi: Buffer | undefined } {
  if (!descending) return interval;
  return {
    lo: interval.hi === undefined ? Buffer.alloc(0) : after(inverted(interval.hi))!,
    hi: interval.lo.length === 0 ? undefined : after(inverted(interval.lo)),
  };
}

type Used = { bounds: Bounds[]; prefixes: Buffer[]; last: Interval[] | undefined; lastDescending: boolean };

/** Takes the bounds of an index's fields, as far as they narrow the scan. */
function useBounds(index: Index, filter: Filter): Used {
  const used: Used = { bounds: [], prefixes: [Buffer.alloc(0)], last: undefined, lastDescending: false };
  let hasMultikey = false;
  for (const [at, path] of index.paths.entries()) {
    const isMultikey = isMultikeyAt(index, at);
    if (isMultikey && hasMultikey) return used;
    const bounds = boundsOf(filter, { path, isMultikey });
    if (bounds === undefined) return used;
    hasMultikey ||= isMultikey;
    used.bounds.push(bounds);
    const descending = index.descending[at]!;
    if (
      bounds.intervals.length * used.prefixes.length > maxPrefixes ||
      bounds.intervals.some((interval) => interval.point === undefined)
    ) {
      return { ...used, last: bounds.intervals, lastDescending: descending };
    }
    const points = bounds.intervals.map((interval) => (descending ? inverted(interval.point!) : interval.point!));
    if (descending) points.reverse();
    used.prefixes = used.prefixes.flatMap((prefix) => points.map((key) => Buffer.concat([prefix, key])));
  }
  return used;
}

function rangesAfter(prefix: Buffer, used: Used): KeyRange[] {
  const last = used.last?.map((interval) => directed(interval, used.lastDescending)) ?? [
    { lo: Buffer.alloc(0), hi: undefined },
  ];
  if (used.lastDescending) last.reverse();
  return last.map(({ lo, hi }) => ({
    lo: Buffer.concat([prefix, lo]),
    hi: hi === undefined ? (prefix.length === 0 ? end : after(prefix)!) : Buffer.concat([prefix, hi]),
  }));
}

/** 1 if the index yields the order forwards, -1 backwards, 0 not at all. */
function sortDirection(index: Index, used: Used, sort: readonly SortField[]): number {
  const pointFields = used.last === undefined ? used.bounds.length : used.bounds.length - 1;
  const isFixed = (at: number): boolean =>
    at < pointFields && used.bounds[at]!.intervals.length === 1 && !isMultikeyAt(index, at);
  let at = pointFields;
  let direction = 0;
  for (const field of sort) {
    const fixedAt = index.paths.findIndex((path) => path.text === field.path.text);
    if (fixedAt >= 0 && isFixed(fixedAt)) continue;
    if (index.paths[at]?.text !== field.path.text || isMultikeyAt(index, at)) return 0;
    const step = index.descending[at] === field.descending ? 1 : -1;
    if (direction !== 0 && step !== direction) return 0;
    direction = step;
    at++;
  }
  return direction === 0 ? 1 : direction;
}

/** Whether an equality fixes a field: then even an array gives each document one entry. */
function isSinglePoint(used: Used, at: number): boolean {
  const intervals = used.bounds[at]?.intervals;
  return intervals?.length === 1 && intervals[0]!.point !== undefined;
}

function indexPlan(index: Index, request: PlanRequest): Plan | undefined {
  if (index.since > request.version || !isUsable(index, request.filter)) return undefined;
  const used = useBounds(index, request.filter);
  const direction = request.sort.length === 0 ? 1 : sortDirection(index, used, request.sort);
  const providesSort = request.sort.length > 0 && direction !== 0;
  if (used.bounds.length === 0 && !providesSort) return undefined;
  const exact = new Set(used.bounds.flatMap((bounds) => bounds.exact));
  const parts = topLevel(request.filter);
  const hasDuplicates = index.paths.some((_, at) => isMultikeyAt(index, at) && !isSinglePoint(used, at));
  const isMerged = providesSort && used.prefixes.length > 1;
  const streams = isMerged
    ? used.prefixes.map((prefix) => ({ prefix: prefix.length, ranges: rangesAfter(prefix, used) }))
    : [
        {
          prefix: 0,
          ranges: used.prefixes.flatMap((prefix) => rangesAfter(prefix, used)).toSorted((a, b) => a.lo.compare(b.lo)),
        },
      ];
  return {
    kind: 'index',
    index,
    streams,
    isReverse: direction < 0,
    providesSort,
    hasOnlyPoints: used.last === undefined && used.bounds.length === index.paths.length,
    isCovered: !hasDuplicates && parts.every((part) => exact.has(part)),
    hasDuplicates,
    branches: [],
  };
}

function unionPlan(request: PlanRequest): Plan | undefined {
  for (const part of topLevel(request.filter)) {
    if (part.kind !== 'or') continue;
    const others = topLevel(request.filter).filter((other) => other !== part);
    const branches = part.parts.map((branch) =>
      choosePlan({ ...request, sort: [], limit: 0, filter: { kind: 'and', parts: [branch, ...others] } }),
    );
    if (branches.every((branch) => branch.kind !== 'table'))
      return { ...tablePlan, kind: 'union', hasDuplicates: true, branches };
  }
  return undefined;
}

/** Of an index that must be read to find out what matches, at least this share of its rows counts. */
const leastShare = 0.6;

/** What a plan costs; anything above `most` where it costs more than that. */
function costOf(plan: Plan, request: PlanRequest, most: number): number {
  const isSorted = request.sort.length === 0 || plan.providesSort;
  const hasCap = isSorted && plan.isCovered && request.limit > 0;
  const rows = request.estimate(
    plan.index!,
    plan.streams.flatMap((stream) => stream.ranges),
    hasCap ? request.limit : Math.floor(most / leastShare) + 1,
  );
  if (!isSorted) return rows * 1.2 + 1;
  if (request.limit === 0) return rows;
  return plan.isCovered ? Math.min(rows, request.limit) : Math.min(rows, Math.max(request.limit, rows * leastShare));
}

/** Most queries have a plan that costs no more: none of the others is counted any further then. */
const cheapCost = 32;

/** The plan that costs least, of equal ones the first. None is counted further than it takes to know. */
function cheapest(plans: readonly Plan[], request: PlanRequest): Plan {
  let best = { plan: plans[0]!, cost: Number.POSITIVE_INFINITY };
  for (const most of [cheapCost, Number.POSITIVE_INFINITY]) {
    best = { plan: plans[0]!, cost: Number.POSITIVE_INFINITY };
    for (const plan of plans) {
      const cost = costOf(plan, request, Math.min(most, best.cost));
      if (cost < best.cost) best = { plan, cost };
    }
    if (best.cost <= most) break;
  }
  return best.plan;
}

function isPointLookup(plan: Plan): boolean {
  return (
    plan.index?.unique === true &&
    plan.hasOnlyPoints &&
    plan.streams.length === 1 &&
    plan.streams[0]!.ranges.length === 1
  );
}

/** Whether there is an index by which the query needs not read the whole collection. */
export function hasNarrowIndex(request: PlanRequest): boolean {
  const plans = request.collection.indexes.map((index) => indexPlan(index, request));
  return plans.some((plan) => plan && (isNarrow(plan) || plan.index?.partial)) || unionPlan(request) !== undefined;
}

/** Whether the plan reads less than the whole index. */
function isNarrow(plan: Plan): boolean {
  return (
    plan.streams.some((stream) => stream.ranges.some((range) => range.lo.length > 0 || range.hi !== end)) ||
    plan.streams[0]?.ranges.length === 0
  );
}

/** Chooses how to find the candidates of a query. */
export function choosePlan(request: PlanRequest): Plan {
  const plans: Plan[] = [];
  for (const index of request.collection.indexes) {
    const plan = indexPlan(index, request);
    if (plan === undefined) continue;
    if (isPointLookup(plan)) return plan;
    plans.push(plan);
  }
  if (!plans.some(isNarrow)) {
    const either = unionPlan(request);
    if (either) return either;
  }
  if (plans.length === 0) return tablePlan;
  if (plans.length === 1) return plans[0]!;
  return cheapest(plans, request);
}
