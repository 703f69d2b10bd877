import { clockTime } from '../../../lib/formats.ts';
import { useText } from '../../../lib/text.ts';
import { ChartOrTable, ListTable } from '../../../ui/list-table.tsx';
import table from '../../../ui/table.module.css';
import classes from '../org-monitoring.module.css';
import { LineChart, type Line } from './line-chart.tsx';
import type { Metrics } from './metrics.ts';

type Props = { title: string; metrics: Metrics; lines: readonly Line[]; format: (value: number) => string };

/** A chart, or the same as a table. */
export function TrendPart({ title, metrics, lines, format }: Props) {
  const { t } = useText();
  const stepName = useStepNames(metrics);
  const { starts } = metrics;
  const last = starts.length - 1;
  const marks = [0, Math.round(last / 3), Math.round((2 * last) / 3)].map((index) => stepName(starts[index] ?? ''));
  return (
    <ChartOrTable
      title={title}
      words={{
        asChart: t({ id: 'monitoring.chart.asChart', defaultMessage: 'Show as chart' }),
        asTable: t({ id: 'monitoring.chart.asTable', defaultMessage: 'Show as table' }),
      }}
      styles={{ head: classes.partHead }}
      table={
        <div className={classes.stepTable}>
          <StepTable starts={starts} stepName={stepName} lines={lines} format={format} />
        </div>
      }
    >
      <LineChart
        title={title}
        lines={lines}
        marks={[...marks, t({ id: 'monitoring.chart.now', defaultMessage: 'now' })]}
        format={format}
      />
    </ChartOrTable>
  );
}

type TableProps = Pick<Props, 'lines' | 'format'> & { starts: readonly string[]; stepName: (start: string) => string };

function StepTable({ starts, stepName, lines, format }: TableProps) {
  const { t } = useText();
  const time = t({ id: 'monitoring.chart.time', defaultMessage: 'Time' });
  const columns = [{ key: 'time', label: time }, ...lines.map(({ id, label }) => ({ key: id, label, isFigure: true }))];
  const rows = starts
    .map((start, index) => ({ id: start, values: lines.map(({ values }) => values[index] ?? null) }))
    .filter(({ values }) => values.some((value) => value !== null && value !== 0))
    .toReversed();
  return (
    <ListTable
      columns={columns}
      items={rows}
      cells={({ id, values }) => (
        <>
          <td>{stepName(id)}</td>
          {values.map((value, index) => (
            <td key={lines[index]?.id} className={table.figure} data-label={lines[index]?.label}>
              {value === null ? '–' : format(value)}
            </td>
          ))}
        </>
      )}
    />
  );
}

/** Minutes and hours by the clock of whoever looks, days as the organisation has them. */
function useStepNames({ step }: Metrics): (start: string) => string {
  const { intl } = useText();
  return (start) =>
    step === 'day'
      ? intl.formatDate(start, { day: 'numeric', month: 'short', timeZone: 'UTC' })
      : intl.formatDate(start, clockTime);
}
