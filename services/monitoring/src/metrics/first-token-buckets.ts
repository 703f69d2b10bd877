/** The first ends at 10 ms, the last but one at 10 minutes; each is as much wider than the one before. */
export const bucketCount = 32;
const lowestMs = 10;
const highestMs = 600_000;
const ratio = (highestMs / lowestMs) ** (1 / (bucketCount - 2));

/** In which bucket a time is counted. */
export function bucketOf(ms: number): number {
  if (ms <= lowestMs) return 0;
  return Math.min(bucketCount - 1, Math.ceil(Math.log(ms / lowestMs) / Math.log(ratio) - 1e-9));
}

const endOf = (bucket: number): number => lowestMs * ratio ** bucket;

/**
 * The time that so much of what was counted did not exceed, between 0 and 1; null where nothing was counted. Within a
 * bucket it is read on the line between its ends, so it is never off by more than the bucket is wide.
 */
export function percentileOf(counts: readonly number[], share: number): number | null {
  const total = counts.reduce((sum, count) => sum + count, 0);
  if (total === 0) return null;
  const wanted = share * total;
  let below = 0;
  for (const [bucket, count] of counts.entries()) {
    if (count > 0 && below + count >= wanted) {
      const start = bucket === 0 ? 0 : endOf(bucket - 1);
      return Math.round(start + ((endOf(bucket) - start) * (wanted - below)) / count);
    }
    below += count;
  }
  return Math.round(endOf(bucketCount - 1));
}
