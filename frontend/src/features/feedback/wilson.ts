export type Counted = { readonly up: number; readonly down: number };
export type Share = { readonly share: number; readonly low: number; readonly high: number };

/** Of fewer ratings nobody can tell anything: the range would be wider than what it says. */
export const fewest = 20;

/** The normal quantile of 95 %. */
const z = 1.96;

/** The share of good ratings with the range in which it lies (Wilson's interval, 95 %); null where there are too few. */
export function shareOf({ up, down }: Counted): Share | null {
  const n = up + down;
  if (n < fewest) return null;
  const share = up / n;
  const middle = (share + (z * z) / (2 * n)) / (1 + (z * z) / n);
  const half = (z * Math.sqrt((share * (1 - share)) / n + (z * z) / (4 * n * n))) / (1 + (z * z) / n);
  return { share, low: Math.max(0, middle - half), high: Math.min(1, middle + half) };
}
