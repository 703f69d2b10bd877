import type { MetricDimension, MetricSpan } from '@parley/contracts';
import { keepPreviousData, useQuery } from '@tanstack/react-query';
import { ChartLine } from 'lucide-react';
import type { ReactNode } from 'react';
import { useFormats } from '../../../lib/formats.ts';
import { api } from '../../../lib/http.ts';
import { pollEvery } from '../../../lib/poll.ts';
import { resourceKey } from '../../../lib/query-keys.ts';
import { useTab } from '../../../lib/tab-organisation.tsx';
import { useText } from '../../../lib/text.ts';
import { FailureView } from '../../../ui/failure-view.tsx';
import { Note } from '../../../ui/note.tsx';
import { SkeletonRows, StateView } from '../../../ui/state-view.tsx';
import classes from '../org-monitoring.module.css';
import { usePartNames } from '../use-part-names.ts';
import { useSeconds } from '../use-seconds.ts';
import type { Line } from './line-chart.tsx';
import { MetricsExport } from './metrics-export.tsx';
import { PartTable, tokensOf } from './part-table.tsx';
import { TrendPart } from './trend-part.tsx';
import type { Metrics } from './metrics.ts';

type Props = {
  span: MetricSpan;
  by: MetricDimension;
  onBy: (by: MetricDimension) => void;
  /** Stands below the charts, or below what is said instead of them. */
  children: ReactNode;
};

/** No event tells of counts: they are read again while somebody looks. */
const refetchMs = 15_000;

/** How it was: tokens and first words over time, and each model or provider beside the time before. */
export function Trends({ span, by, onBy, children }: Props) {
  const { t } = useText();
  const { exact } = useFormats();
  const orgId = useTab().organisation.id;
  const query = useQuery({
    queryKey: resourceKey('metrics', orgId, span, by),
    queryFn: ({ signal }) => api('GET /api/monitoring/metrics', { orgId, query: { span, by }, signal }),
    refetchInterval: pollEvery(refetchMs),
    placeholderData: keepPreviousData,
  });
  const { data, error } = query;
  if (!data || data.since === null)
    return (
      <>
        <Missing isEmpty={data !== undefined} error={error} onRetry={() => void query.refetch()} />
        {children}
      </>
    );
  return (
    <>
      <div className={classes.trends}>
        {error ? (
          <Note kind="warning">
            {t(
              {
                id: 'monitoring.trends.old',
                defaultMessage: 'The trends could not be read again. This is how it was at {time}.',
              },
              { time: exact(query.dataUpdatedAt) },
            )}
          </Note>
        ) : null}
        <Charts metrics={data} by={by} />
      </div>
      {children}
      <div className={classes.trends}>
        <PartTable metrics={data} by={by} onBy={onBy} />
        <p className={`p-meta ${classes.complete}`}>
          <span>
            {t(
              {
                id: 'monitoring.trends.complete',
                defaultMessage: 'Complete until {time}. Days begin in the time zone {zone}.',
              },
              { time: exact(data.completeUntil), zone: data.timeZone },
            )}
          </span>
          <MetricsExport metrics={data} span={span} />
        </p>
      </div>
    </>
  );
}

/** Nothing has been counted, nothing is there yet, or it could not be loaded. */
function Missing({ isEmpty, error, onRetry }: { isEmpty: boolean; error: unknown; onRetry: () => void }) {
  const { t } = useText();
  if (isEmpty)
    return (
      <StateView
        icon={ChartLine}
        title={t({ id: 'monitoring.trends.empty', defaultMessage: 'Nothing has been counted yet' })}
      >
        {t({
          id: 'monitoring.trends.emptyText',
          defaultMessage: 'Each answer that ends in this organisation counts here, a second later.',
        })}
      </StateView>
    );
  if (!error)
    return <SkeletonRows label={t({ id: 'monitoring.trends.loading', defaultMessage: 'The trends are loading' })} />;
  return (
    <FailureView
      title={t({ id: 'monitoring.trends.failed', defaultMessage: 'The trends could not be loaded' })}
      error={error}
      onRetry={onRetry}
    />
  );
}

function Charts({ metrics, by }: { metrics: Metrics; by: MetricDimension }) {
  const { t, intl } = useText();
  const seconds = useSeconds();
  const median = t({ id: 'monitoring.chart.median', defaultMessage: 'median' });
  const slowest = t({ id: 'monitoring.chart.p95', defaultMessage: 'p95' });
  const firstToken: Line[] = [
    { id: 'p50', label: median, values: metrics.all.map(({ firstTokenP50Ms }) => firstTokenP50Ms) },
    { id: 'p95', label: slowest, values: metrics.all.map(({ firstTokenP95Ms }) => firstTokenP95Ms) },
  ];
  return (
    <div className={classes.charts}>
      <TrendPart
        title={
          {
            model: t({ id: 'monitoring.chart.tokensByModel', defaultMessage: 'Tokens, by model' }),
            provider: t({ id: 'monitoring.chart.tokensByProvider', defaultMessage: 'Tokens, by provider' }),
            chatbot: t({ id: 'monitoring.chart.tokensByChatbot', defaultMessage: 'Tokens, by chatbot' }),
          }[by]
        }
        metrics={metrics}
        lines={useTokenLines(metrics)}
        format={(value) => intl.formatNumber(value, { notation: 'compact', maximumSignificantDigits: 3 })}
      />
      <TrendPart
        title={t({ id: 'monitoring.chart.firstToken', defaultMessage: 'Time to first token' })}
        metrics={metrics}
        lines={firstToken}
        format={seconds}
      />
    </div>
  );
}

/** Of those with the most a line each, and one for the rest together, so that lines add up to all. */
function useTokenLines({ all, series, parts }: Metrics): Line[] {
  const { t } = useText();
  const nameOf = usePartNames();
  const lines = series.map(({ id, steps }) => ({ id, label: nameOf(id), values: steps.map(tokensOf) }));
  if (parts.length <= series.length) return lines;
  const rest = all.map((step, index) =>
    lines.reduce((left, { values }) => left - (values[index] ?? 0), tokensOf(step)),
  );
  return [
    ...lines,
    { id: 'rest', label: t({ id: 'monitoring.chart.rest', defaultMessage: 'The rest' }), values: rest },
  ];
}
