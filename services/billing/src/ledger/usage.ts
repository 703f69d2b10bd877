import { dayAt, type DayUsage } from '@parley/contracts';
import { isAnswer } from './spend.ts';

const hourMs = 3_600_000;
/** No time zone is further from UTC. */
const furthestZoneMs = 14 * hourMs;

type Entry = Pick<DayUsage, 'model' | 'inputTokens' | 'outputTokens'> & {
  readonly at: Date;
  readonly generationId: string;
  /** Null is unpriced. */
  readonly costMicros: number | null;
  /** An embedding or a title is no answer. */
  readonly kind?: string;
  /** Absent in entries of versions without rates, whose cost says nothing. */
  readonly day?: string;
};

/** The time in which the month lies, in whatever time zone. */
export function aroundMonth(month: string): { readonly from: Date; readonly to: Date } {
  const start = new Date(`${month}-01T00:00:00Z`);
  const end = Date.UTC(start.getUTCFullYear(), start.getUTCMonth() + 1);
  return { from: new Date(start.getTime() - furthestZoneMs), to: new Date(end + furthestZoneMs) };
}

const nothing = { inputTokens: 0, outputTokens: 0, answers: 0, costMicros: 0, unpricedAttempts: 0 };

/** The entries of the month added up by day and model; an answer counts once on a day, however many attempts it took. */
export function usageByDay(
  entries: readonly Entry[],
  { month, zone }: { readonly month: string; readonly zone: string },
): DayUsage[] {
  const days = new Map<string, DayUsage & { readonly generations: Set<string> }>();
  for (const entry of entries) {
    const { model, inputTokens, outputTokens, generationId } = entry;
    const costMicros = entry.day === undefined ? null : entry.costMicros;
    const day = dayAt(entry.at, zone);
    if (!day.startsWith(month)) continue;
    const key = `${day} ${model}`;
    const sum = days.get(key) ?? { day, model, ...nothing, generations: new Set() };
    if (isAnswer(entry.kind)) sum.generations.add(generationId);
    sum.inputTokens += inputTokens;
    sum.outputTokens += outputTokens;
    sum.costMicros += costMicros ?? 0;
    sum.unpricedAttempts += costMicros === null ? 1 : 0;
    days.set(key, sum);
  }
  return [...days.values()].map(({ generations, ...sum }) => ({ ...sum, answers: generations.size }));
}
