import { useQuery, useQueryClient } from '@tanstack/react-query';
import type { AnswerCost, Message, MyBudget } from '@parley/contracts';
import { useCallback } from 'react';
import { useIntl } from 'react-intl';
import { api } from '../../lib/http.ts';
import { shareOf } from '../../lib/my-budgets.ts';
import { resourceKey } from '../../lib/query-keys.ts';
import { useTab } from '../../lib/tab-organisation.tsx';
import { useFormats } from '../../lib/formats.ts';
import { useText } from '../../lib/text.ts';

const soonMs = 1_000;
/** What was spent until so long ago is good enough for the composer. */
export const fresh = { staleTime: 10_000 } as const;
/** After that an answer has no entry: billing is away, or it is not mine. */
const patienceMs = 20_000;

/** What an answer of mine has cost; null until it is known. All answers of a conversation are asked for together. */
export function useAnswerCost({ conversationId, generation }: Message): AnswerCost | null {
  const client = useQueryClient();
  const orgId = useTab().organisation.id;
  const isRefused = generation?.failure === 'budget-spent' || generation?.failure === 'budget-unavailable';
  const isOver = generation?.finishedAt != null && generation.model.key !== 'builtin' && !isRefused;
  const find = (items: readonly AnswerCost[] | undefined) =>
    items?.find(({ generationId }) => generationId === generation?.id) ?? null;
  const { data } = useQuery({
    queryKey: resourceKey('my-answers', orgId, conversationId),
    queryFn: async ({ signal }) => {
      const costs = await api('GET /api/billing/my-answers', { orgId, query: { conversationId }, signal });
      // What has a cost by now has made the budgets smaller.
      void client.invalidateQueries({ queryKey: resourceKey('my-budgets', orgId) });
      return costs;
    },
    enabled: isOver,
    staleTime: 60_000,
    refetchInterval: ({ state }) => {
      const isRecent = Date.now() - Date.parse(generation?.finishedAt ?? '') < patienceMs;
      return isRecent && find(state.data?.items) === null ? soonMs : false;
    },
  });
  return isOver ? find(data?.items) : null;
}

/** Money or tokens in words, and the moment at which a budget starts again, in the organisation's time zone. */
export function useBudgetWords(currency: string | null, timeZone: string) {
  const intl = useIntl();
  const { t } = useText();
  const { cost } = useFormats();
  const amount = useCallback(
    ({ unit }: Pick<MyBudget, 'unit'>, value: number) =>
      unit === 'money'
        ? cost(value, currency ?? 'EUR')
        : t(
            { id: 'chat.run.tokens', defaultMessage: '{count, plural, one {# token} other {# tokens}}' },
            { count: value },
          ),
    [cost, currency, t],
  );
  const resets = (iso: string) =>
    intl.formatDate(iso, {
      day: 'numeric',
      month: 'long',
      hour: '2-digit',
      minute: '2-digit',
      hour12: false,
      timeZone,
    });
  /** What is left, without an amount. */
  const percentLeft = (budget: MyBudget): string =>
    intl.formatNumber((100 - shareOf(budget).usedPercent) / 100, { style: 'percent' });
  const about = ({ scope, countsFrom }: MyBudget): string =>
    t(
      {
        id: 'chat.budget.about',
        defaultMessage:
          '{whose, select, organisation {The organisation’s budget} group {Your group’s budget} person {Your budget} chatbot {This chatbot’s budget} other {This model’s budget}}{since, select, none {} other {, counted since {since}}}',
      },
      { whose: scope.kind, since: countsFrom === undefined ? 'none' : resets(countsFrom) },
    );
  return { amount, resets, percentLeft, about };
}
