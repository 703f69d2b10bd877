import { useId } from 'react';
import { runsOf, spread, topOf, type Point } from '../chart-scale.ts';
import classes from '../org-monitoring.module.css';

export type Line = { readonly id: string; readonly label: string; readonly values: readonly (number | null)[] };
type Props = {
  title: string;
  lines: readonly Line[];
  /** Of the first, two in the middle and the last step. */
  marks: readonly string[];
  /** As it stands beside the grid. */
  format: (value: number) => string;
};

const gridLines = [1, 0.75, 0.5, 0.25, 0];
/** As much as a label is high, of the height of the chart. */
const labelShare = 0.12;

/** Lines over time with their names at their ends, four grid lines, from zero. Time runs from left to right everywhere. */
export function LineChart({ title, lines, marks, format }: Props) {
  const titleId = useId();
  const top = topOf(Math.max(0, ...lines.flatMap(({ values }) => values.map((value) => value ?? 0))));
  const ends = lines.map(({ values }) => (values.findLast((value) => value !== null) ?? 0) / top);
  const places = spread(ends, labelShare);
  return (
    <figure className={classes.chart} dir="ltr" aria-labelledby={titleId}>
      <figcaption id={titleId} className="p-hidden">
        {title}
      </figcaption>
      <div className={`p-scale ${classes.scale}`} aria-hidden="true">
        {gridLines.map((share) => (
          <span key={share}>{format(share * top)}</span>
        ))}
      </div>
      <div className={classes.plot}>
        <svg viewBox="0 0 100 100" preserveAspectRatio="none" aria-hidden="true">
          {gridLines.map((share) => (
            <line key={share} className={classes.grid} x1="0" x2="100" y1={100 * share} y2={100 * share} />
          ))}
          {lines.map(({ id, values }, index) => (
            <g key={id} className={classes.line} data-line={index + 1}>
              {runsOf(values, top).map((run) => (
                <path key={run[0]?.x} d={pathOf(run)} data-dot={run.length === 1 || undefined} />
              ))}
            </g>
          ))}
        </svg>
      </div>
      <ul className={classes.names}>
        {lines.map(({ id, label }, index) => (
          <li key={id} data-line={index + 1} style={{ insetBlockEnd: `${100 * (places[index] ?? 0)}%` }}>
            <i aria-hidden="true" />
            <bdi className={`p-one-line ${classes.lineName}`} title={label}>
              {label}
            </bdi>
          </li>
        ))}
      </ul>
      <div className={classes.times} aria-hidden="true">
        {marks.map((mark, index) => (
          <span key={index}>{mark}</span>
        ))}
      </div>
    </figure>
  );
}

/** A value alone, between steps without one, is a dot. */
const pathOf = (run: readonly Point[]): string => {
  const points = run.map(({ x, y }) => `${(100 * x).toFixed(2)} ${(100 - 100 * y).toFixed(2)}`);
  return `M${points.join('L')}${points.length === 1 ? 'h0.01' : ''}`;
};
