const width = 58;
const height = 16;
const edge = 2;

/** 24 hours as a line, for eyes only: the figures stand beside it. */
export function HoursSpark({ hours }: { hours: readonly number[] }) {
  const most = Math.max(1, ...hours);
  const points = hours.map((count, hour) => ({
    x: edge + (hour / (hours.length - 1)) * (width - 2 * edge),
    y: height - edge - (count / most) * (height - 2 * edge),
  }));
  const last = points.at(-1);
  return (
    <svg width={width} height={height} viewBox={`0 0 ${width} ${height}`} className="p-spark" aria-hidden="true">
      <polyline points={points.map(({ x, y }) => `${x.toFixed(1)},${y.toFixed(1)}`).join(' ')} />
      {last ? <circle cx={last.x} cy={last.y} r="1.75" /> : null}
    </svg>
  );
}
