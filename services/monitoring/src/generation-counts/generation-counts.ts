import type { generationAttemptEnded, generationQueued, DataOf, EventEnvelope } from '@parley/contracts';

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

/** A field that no event has touched yet counts as zero. */
export function toCounts(row: Increments | null): Required<Increments> {
  const entries = countedFields.map((field) => [field, row?.[field] ?? 0] as const);
  return Object.fromEntries(entries) as Required<Increments>;
}
