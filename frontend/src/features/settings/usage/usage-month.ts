import type { DayUsage } from '@parley/contracts';

export type Totals = Pick<DayUsage, 'inputTokens' | 'outputTokens' | 'answers' | 'costMicros' | 'unpricedAttempts'>;

type Tokens = Pick<Totals, 'inputTokens' | 'outputTokens'>;
export const tokensOf = ({ inputTokens, outputTokens }: Tokens): number => inputTokens + outputTokens;

export function sumOf(rows: readonly DayUsage[]): Totals {
  const sum = { inputTokens: 0, outputTokens: 0, answers: 0, costMicros: 0, unpricedAttempts: 0 };
  for (const { inputTokens, outputTokens, answers, costMicros, unpricedAttempts } of rows) {
    sum.inputTokens += inputTokens;
    sum.outputTokens += outputTokens;
    sum.answers += answers;
    sum.costMicros += costMicros;
    sum.unpricedAttempts += unpricedAttempts;
  }
  return sum;
}

/** What each model has used, the dearest first, then the most used. */
export const byModel = (rows: readonly DayUsage[]): (Totals & { readonly model: string })[] =>
  [...Map.groupBy(rows, ({ model }) => model)]
    .map(([model, own]) => ({ model, ...sumOf(own) }))
    .toSorted((one, other) => other.costMicros - one.costMicros || tokensOf(other) - tokensOf(one));

const lowestTop = 4;

/** A round figure that is not below the highest one: the top of the chart. */
export function topOf(highest: number): number {
  const least = Math.max(highest, lowestTop);
  const unit = 10 ** Math.floor(Math.log10(least));
  return ([1, 2, 4, 6, 8].find((factor) => factor * unit >= least) ?? 10) * unit;
}
