import { Injectable } from '@nestjs/common';
import { mostSeries, type getMetrics, type MetricFigures } from '@parley/contracts';
import { Clock } from '@parley/platform/clock';
import type { OrganisationScope } from '@parley/platform/mongo';
import { EventLag, type InputOf } from '@parley/platform/service';
import type { ResponseOf } from '@parley/protocol';
import { TimeZones } from '../all-organisations/index.ts';
import { DayMetrics } from './day-metrics.ts';
import type { MetricRow } from './metric.collection.ts';
import { stepsOf, toStart } from './metric-steps.ts';
import { together, toFigures, type Sums } from './metric.ts';
import { MetricsRepository } from './metrics.repository.ts';

type Metrics = ResponseOf<typeof getMetrics>;
type Window = { readonly before: readonly string[]; readonly current: readonly string[] };

/** What an organisation's answers were over time, and what was read for vectors beside them. */
@Injectable()
export class MetricsService {
  constructor(
    private readonly metrics: MetricsRepository,
    private readonly days: DayMetrics,
    private readonly zones: TimeZones,
    private readonly clock: Clock,
    private readonly lag: EventLag,
  ) {}

  async read({ scope, query }: InputOf<typeof getMetrics>): Promise<Metrics> {
    const timeZone = await this.zones.of(scope.orgId);
    const { step, before, current } = stepsOf(query.span, { at: this.clock.now(), timeZone });
    const window = { before, current };
    const [first, last] = [before[0] ?? '', current.at(-1) ?? ''];
    const [totals, rows, completeUntil, since] = await Promise.all([
      this.metrics.totals(scope, step, [...before, ...current]),
      step === 'day'
        ? this.days.read(scope, query.by, [...before, ...current])
        : this.metrics.read(scope, step, { dimension: query.by, from: first, to: last }),
      this.completeUntil(scope),
      this.metrics.firstDay(scope),
    ]);
    const parts = [...Map.groupBy(rows, ({ id }) => id)]
      .map(([id, own]) => ({ id, steps: byStart(own) }))
      .map(({ id, steps }) => ({ id, steps, ...compared(steps, window) }))
      .filter(({ figures, before: earlier }) => isUsed(figures) || isUsed(earlier))
      .toSorted((one, other) => tokensOf(other) - tokensOf(one));
    return {
      step,
      timeZone,
      starts: current.map((start) => toStart(step, start)),
      all: current.map((start) => toFigures(totals.get(start) ?? {})),
      series: parts
        .filter(({ figures }) => isUsed(figures))
        .slice(0, mostSeries)
        .map(({ id, steps }) => ({ id, steps: current.map((start) => toFigures(steps.get(start) ?? {})) })),
      total: compared(totals, window),
      parts: parts.map(({ steps: _steps, ...part }) => part),
      completeUntil,
      since,
    };
  }

  /** Now, unless events wait: then until the last one that was counted. */
  private async completeUntil(scope: OrganisationScope): Promise<string> {
    const now = this.clock.now();
    if ((await this.lag.count()) === 0) return now.toISOString();
    const latest = await this.metrics.latest(scope);
    return (latest && latest < now ? latest : now).toISOString();
  }
}

const byStart = (rows: readonly MetricRow[]): Map<string, MetricRow> => new Map(rows.map((row) => [row.start, row]));
const tokensOf = ({ figures }: Metrics['total']): number =>
  figures.inputTokens + figures.outputTokens + figures.embeddingTokens;
const isUsed = ({ attempts, embeddingTokens }: MetricFigures): boolean => attempts + embeddingTokens > 0;

function compared(steps: ReadonlyMap<string, Sums>, { before, current }: Window): Metrics['total'] {
  const sumOf = (starts: readonly string[]) => toFigures(together(starts.map((start) => steps.get(start) ?? {})));
  return { figures: sumOf(current), over: sumOf(current.slice(0, -1)), before: sumOf(before) };
}
