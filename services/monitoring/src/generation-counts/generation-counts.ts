import type { generationAttemptEnded, generationQueued, DataOf, EventEnvelope, OrgId } from '@parley/contracts';

export const countedFields = [
  'queued',
  'done',
  'stopped',
  'failed',
  'interrupted',
  'inputTokens',
  'outputTokens',
] as const;
export type Increments = Partial<Record<(typeof countedFields)[number], number>>;
export type CountedEvent = EventEnvelope<DataOf<typeof generationQueued> | DataOf<typeof generationAttemptEnded>>;

/** What one event adds to its organisation's counts. */
export function incrementsOf(data: CountedEvent['data']): Increments {
  if (!('outcome' in data)) return { queued: 1 };
  return { [data.outcome]: 1, inputTokens: data.inputTokens, outputTokens: data.outputTokens };
}

/** What events add to the counts of each organisation. */
export function together(events: readonly CountedEvent[]): ReadonlyMap<OrgId, Increments> {
  const sums = new Map<OrgId, Increments>();
  for (const { data } of events) {
    const sum = sums.get(data.orgId) ?? {};
    for (const [field, by] of Object.entries(incrementsOf(data)) as [keyof Increments, number][])
      sum[field] = (sum[field] ?? 0) + by;
    sums.set(data.orgId, sum);
  }
  return sums;
}

/** A field that no event has touched yet counts as zero. */
export function toCounts(row: Increments | null): Required<Increments> {
  const entries = countedFields.map((field) => [field, row?.[field] ?? 0] as const);
  return Object.fromEntries(entries) as Required<Increments>;
}
