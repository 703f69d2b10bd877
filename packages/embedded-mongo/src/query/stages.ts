import { fail } from '../errors.ts';
import type { Value } from '../bson/value.ts';
import type { Scan } from '../storage/scan.ts';
import { sortKeyOf, type SortField } from './sort.ts';

/** A document on its way through a query; rid is -1 for one that is not stored. */
export type Row = { rid: number; doc: Value };

/** Yields rows batch by batch: an empty batch means "not yet", undefined the end. */
export type Stage = { next(): Row[] | undefined };

const maxSortBytes = 100 * 1024 * 1024;

/** Rows that are known already. */
export class ListStage implements Stage {
  private rows: Row[] | undefined;

  constructor(rows: Row[]) {
    this.rows = rows;
  }

  next(): Row[] | undefined {
    const rows = this.rows;
    this.rows = undefined;
    return rows;
  }
}

/** Passes what a test accepts. */
export class FilterStage implements Stage {
  private readonly source: Stage | Scan;
  private readonly accepts: (row: Row) => boolean;

  constructor(source: Stage | Scan, accepts: (row: Row) => boolean) {
    this.source = source;
    this.accepts = accepts;
  }

  next(): Row[] | undefined {
    return this.source.next()?.filter(this.accepts);
  }
}

/** Counts what a query looks at, and stops one that looks at too much. */
export class GuardStage implements Stage {
  private readonly source: Stage | Scan;
  private readonly most: number;
  private readonly name: string;
  private examined = 0;

  constructor(source: Stage | Scan, limit: { most: number; name: string }) {
    this.source = source;
    this.most = limit.most;
    this.name = limit.name;
  }

  next(): Row[] | undefined {
    const rows = this.source.next();
    this.examined += rows?.length ?? 0;
    if (this.examined > this.most)
      fail('OperationFailed', `a query on ${this.name} examined more than ${this.most} documents: it lacks an index`);
    return rows;
  }
}

/** One source after the other. */
export class ChainStage implements Stage {
  private readonly sources: Stage[];

  constructor(sources: Stage[]) {
    this.sources = sources;
  }

  next(): Row[] | undefined {
    for (let source = this.sources[0]; source !== undefined; source = this.sources[0]) {
      const rows = source.next();
      if (rows !== undefined) return rows;
      this.sources.shift();
    }
    return undefined;
  }
}

type Keyed = { key: Buffer; row: Row };

/** Sorts in memory; with a limit it keeps no more than it needs. */
export class SortStage implements Stage {
  private readonly source: Stage;
  private readonly sort: readonly SortField[];
  private readonly limit: number;
  private kept: Keyed[] = [];
  private bytes = 0;
  private isSorted = false;

  constructor(source: Stage, sort: readonly SortField[], limit: number) {
    this.source = source;
    this.sort = sort;
    this.limit = limit;
  }

  next(): Row[] | undefined {
    if (this.isSorted) return undefined;
    const rows = this.source.next();
    if (rows === undefined) {
      this.arrange();
      this.isSorted = true;
      return this.kept.map((entry) => entry.row);
    }
    for (const row of rows) {
      this.kept.push({ key: sortKeyOf(row.doc, this.sort), row });
      this.bytes += row.doc.end - row.doc.start;
    }
    if (this.limit > 0 && this.kept.length > this.limit * 2 + 200) this.arrange();
    if (this.bytes > maxSortBytes)
      fail('QueryExceededMemoryLimitNoDiskUseAllowed', 'Sort exceeded memory limit of 104857600 bytes.');
    return [];
  }

  private arrange(): void {
    this.kept.sort((a, b) => a.key.compare(b.key));
    if (this.limit === 0) return;
    this.kept = this.kept.slice(0, this.limit);
    this.bytes = this.kept.reduce((sum, entry) => sum + entry.row.doc.end - entry.row.doc.start, 0);
  }
}

/** Mixes a few sorted rows into a sorted source. */
export class MergeStage implements Stage {
  private readonly source: Stage;
  private readonly sort: readonly SortField[];
  private readonly extra: Keyed[];

  constructor(source: Stage, extra: Row[], sort: readonly SortField[]) {
    this.source = source;
    this.sort = sort;
    this.extra = extra.map((row) => ({ key: sortKeyOf(row.doc, sort), row })).toSorted((a, b) => a.key.compare(b.key));
  }

  next(): Row[] | undefined {
    const rows = this.source.next();
    if (rows === undefined) return this.extra.length === 0 ? undefined : this.extra.splice(0).map((entry) => entry.row);
    return rows.flatMap((row) => {
      const key = sortKeyOf(row.doc, this.sort);
      const count = this.extra.findIndex((entry) => entry.key.compare(key) > 0);
      const earlier = this.extra.splice(0, count < 0 ? this.extra.length : count);
      return [...earlier.map((entry) => entry.row), row];
    });
  }
}

/** Leaves out the first rows and stops after a number of them (0: never). */
export class WindowStage implements Stage {
  private readonly source: Stage;
  private toSkip: number;
  private left: number;

  constructor(source: Stage, skip: number, limit: number) {
    this.source = source;
    this.toSkip = skip;
    this.left = limit === 0 ? Number.POSITIVE_INFINITY : limit;
  }

  next(): Row[] | undefined {
    if (this.left <= 0) return undefined;
    let rows = this.source.next();
    if (rows === undefined) return undefined;
    const skipped = Math.min(this.toSkip, rows.length);
    this.toSkip -= skipped;
    if (skipped > 0) rows = rows.slice(skipped);
    if (rows.length > this.left) rows = rows.slice(0, this.left);
    this.left -= rows.length;
    return rows;
  }
}

/** Changes each document. */
export class MapStage implements Stage {
  private readonly source: Stage;
  private readonly change: (document: Value) => Value;

  constructor(source: Stage, change: (document: Value) => Value) {
    this.source = source;
    this.change = change;
  }

  next(): Row[] | undefined {
    return this.source.next()?.map((row) => ({ rid: row.rid, doc: this.change(row.doc) }));
  }
}
