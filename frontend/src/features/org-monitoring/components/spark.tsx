import classes from '../org-monitoring.module.css';
import { runsOf } from '../chart-scale.ts';

const width = 58;
const height = 16;

/** The last minute as a line, for eyes only: its figure stands beside it. It fills from the end. */
export function Spark({ values, isBad = false }: { values: readonly (number | null)[]; isBad?: boolean }) {
  const most = Math.max(...values.map((value) => value ?? 0));
  const padded = [...Array.from({ length: Math.max(0, 60 - values.length) }, () => null), ...values];
  const place = ({ x, y }: { x: number; y: number }) =>
    `${(2 + x * (width - 4)).toFixed(1)},${(2 + (1 - y) * (height - 4)).toFixed(1)}`;
  const runs = runsOf(padded, most || 1);
  const last = runs.at(-1)?.at(-1);
  return (
    <svg
      width={width}
      height={height}
      viewBox={`0 0 ${width} ${height}`}
      className={`p-spark ${classes.spark}`}
      data-bad={(isBad && most > 0) || undefined}
      aria-hidden="true"
    >
      {runs.map((run, index) => (
        <polyline key={index} points={run.map(place).join(' ')} />
      ))}
      {last ? <circle cx={2 + last.x * (width - 4)} cy={2 + (1 - last.y) * (height - 4)} r="1.75" /> : null}
    </svg>
  );
}
