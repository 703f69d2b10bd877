import type { DayUsage } from '@parley/contracts';

export type Totals = Pick<DayUsage, 'inputTokens' | 'outputTokens' | 'answers'>;

export const tokensOf = ({ inputTokens, outputTokens }: Totals): number => inputTokens + outputTokens;

export function sumOf(rows: readonly DayUsage[]): Totals {
  const sum = { inputTokens: 0, outputTokens: 0, answers: 0 };
  for (const { inputTokens, outputTokens, answers } of rows) {
    sum.inputTokens += inputTokens;
    sum.outputTokens += outputTokens;
    sum.answers += answers;
  }
  return sum;
}

/** What each model has used, the most first. */
export const byModel = (rows: readonly DayUsage[]): (Totals & { readonly model: string })[] =>
  [...Map.groupBy(rows, ({ model }) => model)]
    .map(([model, own]) => ({ model, ...sumOf(own) }))
    .toSorted((one, other) => tokensOf(other) - tokensOf(one));

const lowestTop = 4;

/** A round figure that is not below the highest one: the top of the chart. */
export function topOf(highest: number): number {
  const least = Math.max(highest, lowestTop);
  const unit = 10 ** Math.floor(Math.log10(least));
  return ([1, 2, 4, 6, 8].find((factor) => factor * unit >= least) ?? 10) * unit;
}
