import type { LedgerEntryRow, SpendDayRow } from '../entries/index.ts';

/** What is added up. */
export const totals = ['attempts', 'unpricedAttempts', 'inputTokens', 'outputTokens', 'costMicros'] as const;
export type Totals = Pick<SpendDayRow, (typeof totals)[number]>;
export const nothing: Totals = { attempts: 0, unpricedAttempts: 0, inputTokens: 0, outputTokens: 0, costMicros: 0 };

type Spent = Pick<LedgerEntryRow, 'kind' | 'inputTokens' | 'outputTokens' | 'costMicros'>;

/** Absent is an answer, too: see the collection. */
export const isAnswer = (kind: string | undefined): boolean => kind === undefined || kind === 'answer';

/** What one entry adds to the totals of its day; an embedding or a title is no attempt of an answer. */
export const spentBy = ({ kind, inputTokens, outputTokens, costMicros }: Spent): Totals => ({
  attempts: isAnswer(kind) ? 1 : 0,
  unpricedAttempts: costMicros === null ? 1 : 0,
  inputTokens,
  outputTokens,
  costMicros: costMicros ?? 0,
});

export const sumOf = (one: Totals, other: Totals): Totals =>
  Object.fromEntries(totals.map((name) => [name, one[name] + other[name]])) as Totals;

/** `2026-11` of the entry's day, which is one of UTC. */
export const monthOf = ({ day }: Pick<LedgerEntryRow, 'day'>): string => day.slice(0, 7);

export const spendDayIdOf = ({ orgId, day, model }: Pick<LedgerEntryRow, 'orgId' | 'day' | 'model'>): string =>
  `${orgId}/${day}/${model}`;

/** Null for what names none. */
export const spendChatbotIdOf = (entry: Pick<LedgerEntryRow, 'orgId' | 'day' | 'chatbotId'>): string | null =>
  entry.chatbotId ? `${entry.orgId}/${monthOf(entry)}/${entry.chatbotId}` : null;

/** Null for what nobody asked for. */
export const spendPersonIdOf = (entry: Pick<LedgerEntryRow, 'orgId' | 'day' | 'userId'>): string | null =>
  entry.userId && `${entry.orgId}/${monthOf(entry)}/${entry.userId}`;
