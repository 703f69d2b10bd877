/** A round figure that is not below the highest one, of which a quarter is round too: the top of a chart. */
export function topOf(highest: number): number {
  if (highest <= 0) return 4;
  const unit = 10 ** Math.floor(Math.log10(highest));
  return ([1, 2, 4, 6, 8].find((factor) => factor * unit >= highest) ?? 10) * unit;
}

export type Point = { readonly x: number; readonly y: number };

/** Runs of neighbouring values as points from 0 to 1, from below and from the left: a step without a value is a gap. */
export function runsOf(values: readonly (number | null)[], top: number): Point[][] {
  const runs: Point[][] = [];
  let run: Point[] = [];
  const last = Math.max(1, values.length - 1);
  for (const [index, value] of values.entries()) {
    if (value === null) {
      if (run.length > 0) runs.push(run);
      run = [];
    } else run.push({ x: index / last, y: Math.min(1, value / top) });
  }
  return run.length > 0 ? [...runs, run] : runs;
}

/** Labels of lines that end near each other are moved apart: where each stands, from 0 to 1 from below. */
export function spread(ends: readonly number[], least: number): number[] {
  const order = ends.map((_, index) => index).toSorted((one, other) => (ends[one] ?? 0) - (ends[other] ?? 0));
  const places = [...ends];
  let floor = 0;
  for (const index of order) {
    places[index] = Math.max(floor, ends[index] ?? 0);
    floor = places[index] + least;
  }
  const over = floor - least - 1;
  if (over > 0) {
    let ceiling = 1;
    for (const index of order.toReversed()) {
      places[index] = Math.min(ceiling, places[index] ?? 0);
      ceiling = places[index] - least;
    }
  }
  return places;
}
