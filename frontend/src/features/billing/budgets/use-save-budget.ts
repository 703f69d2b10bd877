import { useQueryClient } from '@tanstack/react-query';
import type { Budget, BudgetPeriod, BudgetScope, BudgetUnit } from '@parley/contracts';
import { useState } from 'react';
import { api, isProblem } from '../../../lib/http.ts';
import { newId } from '../../../lib/new-id.ts';
import { resourceKey } from '../../../lib/query-keys.ts';
import { useTab } from '../../../lib/tab-organisation.tsx';
import { useText } from '../../../lib/text.ts';
import { useServerForm } from '../../../lib/use-server-form.ts';
import { limitOfText, textOfLimit } from './budget-limits.ts';
import type { BudgetRequest, Budgets } from './use-budgets.ts';

export type BudgetDraft = {
  kind: BudgetScope['kind'];
  /** Of the group, person, model or chatbot. */
  of: string;
  /** Of the chatbot. */
  name: string;
  period: BudgetPeriod;
  unit: BudgetUnit;
  softLimit: string;
  hardLimit: string;
  /** A new one begins with what its period has spent. */
  startsWithSpent: boolean;
};
type Options = {
  /** Null for a new one. */
  budget: Budget | null;
  /** Whose wish for more fills in the stop. */
  request: BudgetRequest | undefined;
  currency: Budgets['currency'];
  onSaved: () => void;
};

const scopeOf = ({ kind, of, name }: BudgetDraft): BudgetScope =>
  (kind === 'organisation' ? { kind } : { kind, id: of, ...(kind === 'chatbot' && { name }) }) as BudgetScope;

/** The form of a budget. What another admin saved meanwhile comes as `theirs`; saving again replaces it. */
export function useSaveBudget({ budget, request, currency, onSaved }: Options) {
  const client = useQueryClient();
  const orgId = useTab().organisation.id;
  const [id] = useState(() => newId('budget'));
  const [theirs, setTheirs] = useState<Budget | null>(null);
  const [seen] = useState(budget);
  const inWords = (limit: number | null) => textOfLimit(limit, seen?.unit ?? 'tokens', currency ?? 'EUR');
  const asked = seen?.hardLimit && request ? seen.hardLimit + request.amount : seen?.hardLimit;
  const limitOf = (text: string, unit: BudgetUnit) => limitOfText(text, unit, currency ?? 'EUR') ?? null;
  const { fields, ...rest } = useServerForm<BudgetDraft, Budget>({
    initialValues: {
      kind: seen?.scope.kind ?? 'organisation',
      of: '',
      name: '',
      period: seen?.period ?? 'month',
      unit: seen?.unit ?? (currency === null ? 'tokens' : 'money'),
      softLimit: inWords(seen?.softLimit ?? null),
      hardLimit: inWords(asked ?? null),
      startsWithSpent: true,
    },
    validate: useChecks(currency, seen !== null),
    send: (draft) => {
      const { period, unit, startsWithSpent } = draft;
      const limits = { softLimit: limitOf(draft.softLimit, unit), hardLimit: limitOf(draft.hardLimit, unit) };
      return seen
        ? api('PUT /api/billing/budgets/:budgetId', {
            orgId,
            params: { budgetId: seen.id },
            body: { version: (theirs ?? seen).version, ...limits },
          })
        : api('POST /api/billing/budgets', {
            orgId,
            body: { id, scope: scopeOf(draft), period, unit, ...limits, startsWithSpent },
            retries: 2,
          });
    },
    onSent: async () => {
      onSaved();
      await client.invalidateQueries({ queryKey: resourceKey('budgets', orgId) });
    },
    onRefused: (error) => {
      if (isProblem(error, 'platform.conflict')) setTheirs((error.problem.current as Budget | undefined) ?? null);
      void client.invalidateQueries({ queryKey: resourceKey('budgets', orgId) });
    },
    fieldOfProblem: { 'billing.no-prices': 'unit' },
  });
  const { hardLimit, unit } = fields.values;
  const isRaised = seen !== null && isMore(limitOfText(hardLimit, unit, currency ?? 'EUR'), seen.hardLimit);
  return { fields, theirs, isRaised, ...rest };
}

/** Undefined is no limit that one can save; none at all is more than any. */
const isMore = (next: number | null | undefined, before: number | null): boolean =>
  next !== undefined && (next ?? Number.POSITIVE_INFINITY) > (before ?? Number.POSITIVE_INFINITY);

function useChecks(currency: Budgets['currency'], isKnown: boolean) {
  const { t } = useText();
  const read = (text: string, unit: BudgetUnit) => limitOfText(text, unit, currency ?? 'EUR');
  const wrong = (text: string, unit: BudgetUnit): string | null => {
    if (read(text, unit) !== undefined) return null;
    return unit === 'money'
      ? t({ id: 'billing.budget.amountCheck', defaultMessage: 'Enter an amount above 0, such as 480.00.' })
      : t({ id: 'billing.budget.tokensCheck', defaultMessage: 'Enter a whole number above 0.' });
  };
  return {
    of: (of: string, { kind }: BudgetDraft) =>
      isKnown || kind === 'organisation' || of !== ''
        ? null
        : t({ id: 'billing.budget.ofCheck', defaultMessage: 'Choose whose budget it is.' }),
    softLimit: (text: string, { unit, hardLimit }: BudgetDraft) => {
      const [warn, stop] = [read(text, unit), read(hardLimit, unit)];
      const isAbove = typeof warn === 'number' && typeof stop === 'number' && warn > stop;
      if (isAbove) return t({ id: 'billing.budget.orderCheck', defaultMessage: 'Warn before it stops: enter less.' });
      return wrong(text, unit);
    },
    hardLimit: (text: string, { unit, softLimit }: BudgetDraft) =>
      text.trim() === '' && softLimit.trim() === ''
        ? t({ id: 'billing.budget.noneCheck', defaultMessage: 'Enter where it stops, or where it warns.' })
        : wrong(text, unit),
  };
}
