import { Injectable } from '@nestjs/common';
import type { OrganisationScope } from '@parley/platform/mongo';
import { LRUCache } from 'lru-cache';
import type { MetricRow } from './metric.collection.ts';
import type { Dimension } from './metric.ts';
import { MetricsRepository } from './metrics.repository.ts';

/** Two months of some twenty models are half a megabyte. */
const mostKept = 32;
/** Today, and yesterday for clocks that differ: they are read each time. */
const recentDays = 2;
type Past = { readonly mark: string | null; readonly rows: readonly MetricRow[] };

/**
 * What each model, provider or chatbot used by day. Days that are over are read once and kept: whoever adds to one later
 * leaves a mark in the same transaction, and with another mark they are read again. So what is kept is never old.
 */
@Injectable()
export class DayMetrics {
  private readonly past = new LRUCache<string, Past>({ max: mostKept });

  constructor(private readonly metrics: MetricsRepository) {}

  /** Of these days, which follow each other, today the last. */
  async read(scope: OrganisationScope, dimension: Dimension, days: readonly string[]): Promise<MetricRow[]> {
    const over = days.slice(0, -recentDays);
    const [from = '', to = ''] = [days.at(over.length), days.at(-1)];
    const [past, recent] = await Promise.all([
      this.pastOf(scope, dimension, over),
      this.metrics.read(scope, 'day', { dimension, from, to }),
    ]);
    return [...past, ...recent];
  }

  private async pastOf(
    scope: OrganisationScope,
    dimension: Dimension,
    over: readonly string[],
  ): Promise<readonly MetricRow[]> {
    const [from, to] = [over[0], over.at(-1)];
    if (from === undefined || to === undefined) return [];
    const key = `${scope.orgId}/${dimension}/${from}/${to}`;
    // Before the rows: what is added in between makes another mark.
    const mark = await this.metrics.lateMark(scope);
    const known = this.past.get(key);
    if (known?.mark === mark) return known.rows;
    const rows = await this.metrics.read(scope, 'day', { dimension, from, to });
    this.past.set(key, { mark, rows });
    return rows;
  }
}
