import { tokenise } from '@parley/platform/text';

/** BM25 (Robertson and Zaragoza, 2009) with its usual constants. */
const k1 = 1.2;
const b = 0.75;

/** Weight of a term that stands in `matching` of `all` passages. */
export const inverseFrequency = (matching: number, all: number): number =>
  Math.log(1 + (all - matching + 0.5) / (matching + 0.5));

/** First pass, without reading text: the summed weight of the query's terms among the passage's keys. */
export function keyScore(searchKeys: readonly string[], weights: ReadonlyMap<string, number>): number {
  let score = 0;
  for (const key of searchKeys) score += weights.get(key) ?? 0;
  return score;
}

/** Second pass: BM25 over the words of the text. `weights` are by term. */
export function textScore(text: string, weights: ReadonlyMap<string, number>, averageLength: number): number {
  const terms = tokenise(text);
  const counts = new Map<string, number>();
  for (const term of terms) if (weights.has(term)) counts.set(term, (counts.get(term) ?? 0) + 1);
  let score = 0;
  for (const [term, count] of counts) {
    score +=
      ((weights.get(term) ?? 0) * count * (k1 + 1)) / (count + k1 * (1 - b + (b * terms.length) / averageLength));
  }
  return score;
}
