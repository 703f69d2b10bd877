import { Injectable } from '@nestjs/common';
import { mostCountedApart, otherId } from '@parley/contracts';
import type { OrgId } from '@parley/protocol';
import { jobScope, Mongo, type OrganisationScope, type Rows, type Transaction } from '@parley/platform/mongo';
import { randomUUID } from 'node:crypto';
import { lateCountRows } from './late-count.collection.ts';
import { metricRows, type MetricRow } from './metric.collection.ts';
import { metricIdOf, steps, type Dimension, type Place, type Step, type Sums } from './metric.ts';
import { SeenRows } from './seen-rows.ts';

const counting = jobScope('attempts of all organisations are counted together');
const mostRead = 2 * 31 * (mostCountedApart + 1);

export type Addition = Place & { readonly step: Step; readonly at: Date; readonly sums: Sums };
type Range = { readonly dimension: Dimension; readonly from: string; readonly to: string };

@Injectable()
export class MetricsRepository {
  private readonly rows: { readonly [Name in Step]: Rows<(typeof metricRows)[Name]> };
  private readonly lateCounts: Rows<typeof lateCountRows>;
  /** Caches ids of days' rows, which never expire. */
  private readonly seen = new SeenRows();

  constructor(mongo: Mongo) {
    this.rows = {
      minute: mongo.rows(metricRows.minute),
      hour: mongo.rows(metricRows.hour),
      day: mongo.rows(metricRows.day),
    };
    this.lateCounts = mongo.rows(lateCountRows);
  }

  /** Which of these days' rows are there. */
  async known(days: readonly Place[], tx: Transaction): Promise<Set<string>> {
    const ids = days.map(metricIdOf);
    const unseen = ids.filter((id) => !this.seen.has(id));
    if (unseen.length === 0) return new Set(ids);
    const rows = await this.rows.day.within(counting, tx).find({ _id: { $in: unseen } }, { fields: ['_id'] });
    const found = rows.map(({ _id }) => _id);
    const known = new Set([...ids.filter((id) => this.seen.has(id)), ...found]);
    this.seen.note(found, tx);
    return known;
  }

  /** How many more of a day can be counted apart. */
  async room({ orgId, dimension, start }: Omit<Place, 'id'>, tx: Transaction): Promise<number> {
    const rows = this.rows.day.within(counting.in(orgId), tx);
    const count = await rows.count({ dimension, start, id: { $ne: otherId } }, { limit: mostCountedApart });
    return mostCountedApart - count;
  }

  async add(additions: readonly Addition[], tx: Transaction): Promise<void> {
    this.seen.writing(tx);
    for (const step of steps)
      await this.rows[step]
        .within(counting, tx)
        .later.upsertEach(
          additions
            .filter((addition) => addition.step === step)
            .map(({ orgId, dimension, start, id, at, sums }) => ({
              filter: { _id: metricIdOf({ orgId, dimension, start, id }), orgId, dimension, start, id },
              change: { $inc: sums, $max: { at } },
            })),
        );
  }

  /** Something was added to a day of these that was over. */
  async markLate(orgIds: ReadonlySet<OrgId>, tx: Transaction): Promise<void> {
    await this.lateCounts
      .within(counting, tx)
      .later.upsertEach(
        [...orgIds].map((orgId) => ({ filter: { _id: orgId, orgId }, change: { $set: { mark: randomUUID() } } })),
      );
  }

  /** Another one whenever something was added to a day that was over; null before that. */
  async lateMark(scope: OrganisationScope): Promise<string | null> {
    return (await this.lateCounts.within(scope).findById(scope.orgId))?.mark ?? null;
  }

  /** Of everything, by the names of the steps that were asked for. */
  async totals(scope: OrganisationScope, step: Step, starts: readonly string[]): Promise<Map<string, MetricRow>> {
    const { orgId } = scope;
    const ids = starts.map((start) => metricIdOf({ orgId, dimension: 'all', start, id: 'all' }));
    const rows: MetricRow[] = await this.rows[step].within(scope).find({ _id: { $in: ids } });
    return new Map(rows.map((row) => [row.start, row]));
  }

  /** Of every model, or provider, in these steps. */
  read(scope: OrganisationScope, step: Step, { dimension, from, to }: Range): Promise<MetricRow[]> {
    return this.rows[step]
      .within(scope)
      .find({ dimension, start: { $gte: from, $lte: to } }, { sort: { start: 1 }, limit: mostRead });
  }

  /** Until when something was counted; null where nothing was lately. */
  async latest(scope: OrganisationScope): Promise<Date | null> {
    const row = await this.rows.minute.within(scope).findOne({ dimension: 'all' }, { sort: { start: -1 } });
    return row?.at ?? null;
  }

  /** The first day on which something was counted. */
  async firstDay(scope: OrganisationScope): Promise<string | null> {
    const row = await this.rows.day.within(scope).findOne({ dimension: 'all' }, { sort: { start: 1 } });
    return row?.start ?? null;
  }
}
