import type { Value } from '../bson/value.ts';
import type { KeyRange, Plan } from '../query/planner.ts';
import type { Collection } from './catalog.ts';
import type { Index } from './index-spec.ts';
import { blob, type SqlRow } from './sqlite.ts';
import { storedDocument } from './stored-document.ts';
import type { Target } from './target.ts';

/** A candidate; the key is the index key it was found by. */
export type ScanRow = { rid: number; key: Buffer; doc: Value };

/** Yields candidates batch by batch; undefined at the end. No statement stays open between two batches. */
export type Scan = { next(): ScanRow[] | undefined };

const smallBatch = 16;
const largeBatch = 128;
const noKey = Buffer.alloc(0);
const maxBatchBytes = 2 * 1024 * 1024;

/** What to read. */
export type ScanSource = { target: Target; collection: Collection };

/** Reads rows until their bytes are enough; `isCut` tells that there may be more. */
function collectRows(rows: IterableIterator<unknown>, { dictionary }: Collection): { rows: ScanRow[]; isCut: boolean } {
  const result: ScanRow[] = [];
  let bytes = 0;
  for (const row of rows as IterableIterator<SqlRow>) {
    const doc = storedDocument(row[2], dictionary);
    result.push({ key: row[0] === null ? noKey : blob(row[0]), rid: Number(row[1]), doc });
    bytes += doc.end;
    if (bytes > maxBatchBytes) return { rows: result, isCut: true };
  }
  return { rows: result, isCut: false };
}

class TableScan implements Scan {
  private readonly source: ScanSource;
  private last = 0;
  private isDone = false;

  constructor(source: ScanSource) {
    this.source = source;
  }

  next(): ScanRow[] | undefined {
    const { target, collection } = this.source;
    const statement = target.sqlite.prepare(
      `SELECT NULL, rid, doc FROM c${collection.id} WHERE rid > ? ORDER BY rid LIMIT ${largeBatch}`,
    );
    if (this.isDone) return undefined;
    const { rows, isCut } = collectRows(statement.iterate(this.last) as IterableIterator<unknown>, collection);
    this.isDone = !isCut && rows.length < largeBatch;
    if (rows.length === 0) return undefined;
    this.last = rows.at(-1)!.rid;
    return rows;
  }
}

function rangeSql(collection: Collection, index: Index, isReverse: boolean): string {
  const [compare, bound, order] = isReverse ? ['<', 'k >= ?', ' DESC'] : ['>', 'k < ?', ''];
  if (index.id === 0)
    return `SELECT k, rid, doc FROM c${collection.id} WHERE (k, rid) ${compare} (?, ?) AND ${bound} ORDER BY k${order} LIMIT ?`;
  return `SELECT i.k, i.rid, c.doc FROM i${index.id} i CROSS JOIN c${collection.id} c ON c.rid = i.rid WHERE (i.k, i.rid) ${compare} (?, ?) AND i.${bound} ORDER BY i.k${order}, i.rid${order} LIMIT ?`;
}

/** Looks documents up by their `_id`. */
class IdScan implements Scan {
  private readonly source: ScanSource;
  private readonly keys: Buffer[];

  constructor(source: ScanSource, keys: Buffer[]) {
    this.source = source;
    this.keys = keys;
  }

  next(): ScanRow[] | undefined {
    for (let key = this.keys.shift(); key !== undefined; key = this.keys.shift()) {
      const row = this.source.target.sqlite.get(`SELECT rid, doc FROM c${this.source.collection.id} WHERE k = ?`, key);
      if (row) return [{ key, rid: Number(row[0]), doc: storedDocument(row[1], this.source.collection.dictionary) }];
    }
    return undefined;
  }
}

function pointsOf(plan: Plan): Buffer[] | undefined {
  if (plan.index!.id !== 0 || plan.isReverse || !plan.hasOnlyPoints) return undefined;
  return plan.streams[0]!.ranges.map(({ lo }) => lo);
}

class RangeScan implements Scan {
  private readonly source: ScanSource;
  private readonly index: Index;
  private readonly isReverse: boolean;
  private readonly ranges: KeyRange[];
  private batch: number;
  private position: { key: Buffer; rid: number } | undefined;

  constructor(source: ScanSource, plan: { index: Index; isReverse: boolean; ranges: KeyRange[]; batch: number }) {
    this.source = source;
    this.index = plan.index;
    this.isReverse = plan.isReverse;
    this.ranges = plan.isReverse ? plan.ranges.toReversed() : [...plan.ranges];
    this.batch = plan.batch;
  }

  next(): ScanRow[] | undefined {
    for (let range = this.ranges[0]; range !== undefined; range = this.ranges[0]) {
      const { rows, isEnd } = this.read(range);
      if (isEnd) {
        this.ranges.shift();
        this.position = undefined;
      }
      if (rows.length > 0) return rows;
    }
    return undefined;
  }

  private read(range: KeyRange): { rows: ScanRow[]; isEnd: boolean } {
    const { target, collection } = this.source;
    const from = this.position ?? { key: this.isReverse ? range.hi : range.lo, rid: -1 };
    const until = this.isReverse ? range.lo : range.hi;
    const limit = this.batch;
    this.batch = Math.min(largeBatch, this.batch * 4);
    const { rows, isCut } = collectRows(
      target.sqlite
        .prepare(rangeSql(collection, this.index, this.isReverse))
        .iterate(from.key, from.rid, until, limit) as IterableIterator<unknown>,
      collection,
    );
    const last = rows.at(-1);
    if (last) this.position = { key: last.key, rid: last.rid };
    return { rows, isEnd: !isCut && rows.length < limit };
  }
}

type Stream = { scan: Scan; prefix: number; rows: ScanRow[]; at: number };

/** Merges streams that are each in order of what follows their prefix. */
class MergeScan implements Scan {
  private readonly streams: Stream[];
  private readonly sign: number;

  constructor(streams: { scan: Scan; prefix: number }[], isReverse: boolean) {
    this.streams = streams.map((stream) => ({ ...stream, rows: [], at: 0 }));
    this.sign = isReverse ? -1 : 1;
  }

  private head(stream: Stream): ScanRow | undefined {
    if (stream.at === stream.rows.length) {
      stream.rows = stream.scan.next() ?? [];
      stream.at = 0;
    }
    return stream.rows[stream.at];
  }

  private take(): ScanRow | undefined {
    let best: { stream: Stream; row: ScanRow; rest: Buffer } | undefined;
    for (const stream of this.streams) {
      const row = this.head(stream);
      if (row === undefined) continue;
      const rest = row.key.subarray(stream.prefix);
      if (best === undefined || rest.compare(best.rest) * this.sign < 0) best = { stream, row, rest };
    }
    if (best) best.stream.at++;
    return best?.row;
  }

  next(): ScanRow[] | undefined {
    const rows: ScanRow[] = [];
    while (rows.length < smallBatch) {
      const row = this.take();
      if (row === undefined) break;
      rows.push(row);
    }
    return rows.length === 0 ? undefined : rows;
  }
}

class ChainScan implements Scan {
  private readonly scans: Scan[];

  constructor(scans: Scan[]) {
    this.scans = scans;
  }

  next(): ScanRow[] | undefined {
    for (let scan = this.scans[0]; scan !== undefined; scan = this.scans[0]) {
      const rows = scan.next();
      if (rows !== undefined) return rows;
      this.scans.shift();
    }
    return undefined;
  }
}

class DistinctScan implements Scan {
  private readonly scan: Scan;
  private readonly seen = new Set<number>();

  constructor(scan: Scan) {
    this.scan = scan;
  }

  next(): ScanRow[] | undefined {
    return this.scan.next()?.filter(({ rid }) => {
      if (this.seen.has(rid)) return false;
      this.seen.add(rid);
      return true;
    });
  }
}

/** Opens the scan of a plan. `limit` hints how many documents will be wanted (0: unknown). */
export function openScan(source: ScanSource, plan: Plan, limit: number): Scan {
  if (plan.kind === 'table') return new TableScan(source);
  if (plan.kind === 'union')
    return new DistinctScan(new ChainScan(plan.branches.map((branch) => openScan(source, branch, limit))));
  const index = plan.index!;
  const points = plan.streams.length === 1 ? pointsOf(plan) : undefined;
  if (points) return new IdScan(source, points);
  const batch = limit > 0 && limit < largeBatch ? (plan.isCovered ? limit : Math.max(limit, smallBatch)) : smallBatch;
  const open = (ranges: KeyRange[], size: number): Scan =>
    new RangeScan(source, { index, isReverse: plan.isReverse, ranges, batch: size });
  const scan =
    plan.streams.length === 1
      ? open(plan.streams[0]!.ranges, batch)
      : new MergeScan(
          plan.streams.map((stream) => ({ scan: open(stream.ranges, smallBatch), prefix: stream.prefix })),
          plan.isReverse,
        );
  return plan.hasDuplicates ? new DistinctScan(scan) : scan;
}

/** Counts the index entries in ranges, up to a cap. */
export function countEntries(source: ScanSource, index: Index, request: { ranges: KeyRange[]; cap: number }): number {
  const table = index.id === 0 ? `c${source.collection.id}` : `i${index.id}`;
  let count = 0;
  for (const { lo, hi } of request.ranges) {
    if (count >= request.cap) break;
    const sql = Number.isFinite(request.cap)
      ? `SELECT count(*) FROM (SELECT 1 FROM ${table} WHERE k >= ? AND k < ? LIMIT ?)`
      : `SELECT count(*) FROM ${table} WHERE k >= ? AND k < ?`;
    const row = Number.isFinite(request.cap)
      ? source.target.sqlite.get(sql, lo, hi, request.cap - count)
      : source.target.sqlite.get(sql, lo, hi);
    count += Number(row![0]);
  }
  return count;
}
