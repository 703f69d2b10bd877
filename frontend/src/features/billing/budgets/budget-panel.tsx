import { Button } from '@mantine/core';
import type { Budget } from '@parley/contracts';
import { useState } from 'react';
import { useRight } from '../../../lib/tab-organisation.tsx';
import { useText } from '../../../lib/text.ts';
import { useUrlFilters } from '../../../lib/url-filters.ts';
import { FailureView } from '../../../ui/failure-view.tsx';
import { Note } from '../../../ui/note.tsx';
import { SidePanel } from '../../../ui/side-panel.tsx';
import { SkeletonRows } from '../../../ui/state-view.tsx';
import { budgetInUrl } from './budget-in-url.ts';
import { useBudgets, type Budgets } from './use-budgets.ts';
import { useScopeName } from './use-budget-words.ts';
import { BudgetForm } from './budget-form.tsx';
import { DeleteBudget } from './delete-budget.tsx';

/** Sets a budget, or changes the one that the address names. */
export function BudgetPanel() {
  const { t } = useText();
  const [{ budget: named }, setFilters] = useUrlFilters(budgetInUrl);
  const { data, error, refetch } = useBudgets();
  const nameOf = useScopeName(data?.people);
  const mayManage = useRight('budget:manage');
  if (!named || !mayManage) return null;
  const close = () => setFilters({ budget: null, raise: null });
  const found = data?.items.find(({ id }) => id === named);
  const title = found ? nameOf(found.scope) : t({ id: 'billing.budget.set', defaultMessage: 'Set a budget' });
  return (
    <SidePanel key={named} isForm title={title} onClose={close}>
      {data ? (
        <Opened named={named} found={found ?? null} budgets={data} onClose={close} />
      ) : error ? (
        <FailureView
          title={t({ id: 'billing.budget.failed', defaultMessage: 'The budgets could not be loaded' })}
          error={error}
          onRetry={() => void refetch()}
        />
      ) : (
        <SkeletonRows
          count={3}
          label={t({ id: 'billing.budget.loading', defaultMessage: 'The budgets are loading' })}
        />
      )}
    </SidePanel>
  );
}

type OpenedProps = { named: string; found: Budget | null; budgets: Budgets; onClose: () => void };

function Opened({ named, found, budgets, onClose }: OpenedProps) {
  const { t } = useText();
  const [{ raise }] = useUrlFilters(budgetInUrl);
  const [isDeleting, setDeleting] = useState(false);
  if (!found && named !== 'new')
    return (
      <>
        <Note kind="info">
          {t({ id: 'billing.budget.gone', defaultMessage: 'This budget was deleted. Nothing is stopped by it.' })}
        </Note>
        <div>
          <Button variant="default" onClick={onClose}>
            {t({ id: 'billing.order.close', defaultMessage: 'Close' })}
          </Button>
        </div>
      </>
    );
  return (
    <>
      <BudgetForm key={`${named} ${raise}`} budget={found} raiseFor={raise} budgets={budgets} onClose={onClose} />
      {found ? (
        <div>
          <Button variant="subtle" color="red" size="xs" onClick={() => setDeleting(true)}>
            {t({ id: 'billing.budget.delete', defaultMessage: 'Delete budget' })}
          </Button>
        </div>
      ) : null}
      {found && isDeleting ? (
        <DeleteBudget budget={found} onDeleted={onClose} onClose={() => setDeleting(false)} />
      ) : null}
    </>
  );
}
