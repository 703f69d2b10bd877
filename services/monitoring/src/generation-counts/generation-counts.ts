import { generationAttemptEnded, generationQueued, type DataOf, type EventEnvelope, type OrgId } from '@parley/contracts';

export const countedFields = ['queued', 'done', 'stopped', 'failed', 'interrupted', 'inputTokens', 'outputTokens'] as const;
export type Increments = Partial<Record<(typeof countedFields)[number], number>>;
export type CountedEvent = EventEnvelope<DataOf<typeof generationQueued> | DataOf<typeof generationAttemptEnded>>;

/** What a batch of events adds, per organisation: folding any order or split of the same events gives the same sums. */
export function foldIncrements(events: readonly CountedEvent[]): Map<OrgId, Increments> {
  const sums = new Map<OrgId, Increments>();
  for (const { data } of events) {
    const sum = sums.get(data.orgId) ?? {};
    sums.set(data.orgId, sum);
    if ('outcome' in data) {
      sum[data.outcome] = (sum[data.outcome] ?? 0) + 1;
      sum.inputTokens = (sum.inputTokens ?? 0) + data.inputTokens;
      sum.outputTokens = (sum.outputTokens ?? 0) + data.outputTokens;
    } else sum.queued = (sum.queued ?? 0) + 1;
  }
  return sums;
}
