import { useMutation, useQueryClient } from '@tanstack/react-query';
import type { Budget } from '@parley/contracts';
import { api, isProblem } from '../../../lib/http.ts';
import { resourceKey } from '../../../lib/query-keys.ts';
import { useTab } from '../../../lib/tab-organisation.tsx';
import { useText } from '../../../lib/text.ts';
import { ConfirmDialog } from '../../../ui/confirm-dialog.tsx';

type Props = { budget: Budget; onDeleted: () => void; onClose: () => void };

/** Asks first: what a budget has counted does not come back. */
export function DeleteBudget({ budget, onDeleted, onClose }: Props) {
  const { t } = useText();
  const orgId = useTab().organisation.id;
  const client = useQueryClient();
  const remove = useMutation({
    mutationFn: () =>
      api('DELETE /api/billing/budgets/:budgetId', { orgId, params: { budgetId: budget.id } }).catch(
        (error: unknown) => {
          // Somebody was faster: it is gone, which is what was asked for.
          if (!isProblem(error, 'billing.budget-not-found')) throw error;
        },
      ),
    onSuccess: onDeleted,
    onSettled: () => client.invalidateQueries({ queryKey: resourceKey('budgets', orgId) }),
  });
  return (
    <ConfirmDialog
      title={t({ id: 'billing.budget.deleteTitle', defaultMessage: 'Delete this budget?' })}
      confirm={t({ id: 'billing.budget.delete', defaultMessage: 'Delete budget' })}
      act={remove}
      onConfirm={() => remove.mutate()}
      onClose={onClose}
    >
      {t({
        id: 'billing.budget.deleteText',
        defaultMessage:
          'It warns and stops nobody any more. What it has counted and what people have asked for is forgotten; a new one counts from nothing.',
      })}
    </ConfirmDialog>
  );
}
