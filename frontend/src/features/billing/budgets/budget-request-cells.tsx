import { Button } from '@mantine/core';
import { useMutation, useQueryClient } from '@tanstack/react-query';
import type { Budget } from '@parley/contracts';
import { useFormats } from '../../../lib/formats.ts';
import { api } from '../../../lib/http.ts';
import { resourceKey } from '../../../lib/query-keys.ts';
import { useRight, useTab } from '../../../lib/tab-organisation.tsx';
import { useText } from '../../../lib/text.ts';
import { useActionOff } from '../../../ui/stale.tsx';
import { useErrorToast } from '../../../ui/error-toast.ts';
import type { BudgetRequest, Budgets } from './use-budgets.ts';
import { useBudgetWords } from './use-budget-words.ts';
import classes from './budget.module.css';

type Props = { request: BudgetRequest; budget: Budget; budgets: Budgets; columns: number; onRaise: () => void };

/** Under its budget: who asks for how much more, and what one can do about it. */
export function BudgetRequestCells({ request, budget, budgets, columns, onRaise }: Props) {
  const { t } = useText();
  const { ago, exact } = useFormats();
  const { amount } = useBudgetWords(budgets);
  return (
    <td colSpan={columns} className={classes.asks}>
      <div className={classes.request}>
        <span>
          {t(
            { id: 'billing.budget.asks', defaultMessage: '{name} asks for {amount} more' },
            { name: `\u2068${request.name}\u2069`, amount: amount(budget, request.amount) },
          )}{' '}
          <span className="p-meta" title={exact(request.at)}>
            {ago(request.at)}
          </span>
        </span>
        {useRight('budget:manage') ? <Answers request={request} onRaise={onRaise} /> : null}
      </div>
    </td>
  );
}

function Answers({ request: { budgetId, userId }, onRaise }: Pick<Props, 'request' | 'onRaise'>) {
  const { t } = useText();
  const orgId = useTab().organisation.id;
  const showError = useErrorToast();
  const client = useQueryClient();
  const off = useActionOff();
  const dismiss = useMutation({
    mutationFn: () =>
      api('DELETE /api/billing/budgets/:budgetId/requests/:userId', {
        orgId,
        params: { budgetId, userId },
        retries: 2,
      }),
    onError: showError,
    onSettled: () => client.invalidateQueries({ queryKey: resourceKey('budgets', orgId) }),
  });
  return (
    <>
      <Button variant="subtle" size="xs" loading={dismiss.isPending} onClick={() => dismiss.mutate()} {...off}>
        {t({ id: 'billing.budget.dismiss', defaultMessage: 'Dismiss' })}
      </Button>
      <Button variant="default" size="xs" onClick={onRaise} {...off}>
        {t({ id: 'billing.budget.raise', defaultMessage: 'Raise' })}
      </Button>
    </>
  );
}
