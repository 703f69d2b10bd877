import type { LedgerEntryRow, SpendDayRow } from '../entries/index.ts';

/** Lists the sums that spend rows count by days in UTC. */
export const totals = ['attempts', 'unpricedAttempts', 'inputTokens', 'outputTokens', 'costMicros'] as const;
export type Totals = Pick<SpendDayRow, (typeof totals)[number]>;
export const nothing: Totals = { attempts: 0, unpricedAttempts: 0, inputTokens: 0, outputTokens: 0, costMicros: 0 };

/** Names the sums of a row: the totals, and money by days of the budgets' time zone. */
export const sums = [...totals, 'moneyMicros', 'utcMicros'] as const;
export type Sums = Pick<SpendDayRow, (typeof sums)[number]>;
export const noSums: Sums = { ...nothing, moneyMicros: 0, utcMicros: 0 };

type Spent = Pick<LedgerEntryRow, 'kind' | 'inputTokens' | 'outputTokens' | 'costMicros'>;

/** Absent is an answer, too: see the collection. */
export const isAnswer = (kind: string | undefined): boolean => kind === undefined || kind === 'answer';

/** What one entry adds to the totals of its day; an embedding or a title is no attempt of an answer. */
const spentBy = ({ kind, inputTokens, outputTokens, costMicros }: Spent): Totals => ({
  attempts: isAnswer(kind) ? 1 : 0,
  unpricedAttempts: costMicros === null ? 1 : 0,
  inputTokens,
  outputTokens,
  costMicros: costMicros ?? 0,
});

export const sumOf = (one: Sums, other: Sums): Sums =>
  Object.fromEntries(sums.map((name) => [name, one[name] + other[name]])) as Sums;

type Entry = Spent & Pick<LedgerEntryRow, 'orgId' | 'day' | 'zoneDay' | 'model' | 'userId' | 'chatbotId'>;
export type SpendKind = 'days' | 'people' | 'chatbots';
export type Added = {
  /** The row's id: `<orgId>/<day or month>/<model, person or chatbot>`. */
  readonly id: string;
  /** `2026-11-30`, or `2026-11`. */
  readonly period: string;
  readonly sums: Sums;
};

/**
 * Returns what one entry adds to rows of a kind: tokens and counts to its day in UTC, money to its day in the budgets'
 * time zone, mostly in the same row. Empty if the entry names no person or no chatbot.
 */
export function addedBy(kind: SpendKind, entry: Entry): readonly Added[] {
  const of = { days: entry.model, people: entry.userId, chatbots: entry.chatbotId ?? null }[kind];
  if (of === null) return [];
  const periodOf = (day: string) => (kind === 'days' ? day : day.slice(0, 7));
  const { day, zoneDay = day } = entry;
  const spent = spentBy(entry);
  const money = { moneyMicros: spent.costMicros, utcMicros: entry.zoneDay === undefined ? spent.costMicros : 0 };
  const added = (period: string, own: Sums): Added => ({ id: `${entry.orgId}/${period}/${of}`, period, sums: own });
  if (periodOf(day) === periodOf(zoneDay)) return [added(periodOf(day), { ...spent, ...money })];
  return [added(periodOf(day), { ...noSums, ...spent }), added(periodOf(zoneDay), { ...noSums, ...money })];
}
