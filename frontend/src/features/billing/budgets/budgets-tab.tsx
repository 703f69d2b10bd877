import { PiggyBank } from 'lucide-react';
import type { Budget } from '@parley/contracts';
import { useRight } from '../../../lib/tab-organisation.tsx';
import { useText } from '../../../lib/text.ts';
import { useUrlFilters } from '../../../lib/url-filters.ts';
import { FailureView } from '../../../ui/failure-view.tsx';
import { ListTable } from '../../../ui/list-table.tsx';
import { Note } from '../../../ui/note.tsx';
import { SkeletonRows, StateView } from '../../../ui/state-view.tsx';
import { BudgetCells, useBudgetColumns } from './budget-cells.tsx';
import { BudgetLegend } from './budget-legend.tsx';
import { BudgetRequestCells } from './budget-request-cells.tsx';
import { SetPrices } from '../parts/set-prices.tsx';
import classes from '../parts/billing.module.css';
import { budgetInUrl } from './budget-in-url.ts';
import { inOrder, useBudgets, type BudgetRequest, type Budgets } from './use-budgets.ts';
import { useScopeName } from './use-budget-words.ts';

/** What may be used in a day, week or month, how much is, and who asks for more. */
export function BudgetsTab() {
  const { t } = useText();
  const { data, error, refetch } = useBudgets();
  if (data) return data.items.length > 0 ? <BudgetTable budgets={data} /> : <NoBudgets currency={data.currency} />;
  return error ? (
    <FailureView
      title={t({ id: 'billing.budget.failed', defaultMessage: 'The budgets could not be loaded' })}
      error={error}
      onRetry={() => void refetch()}
    />
  ) : (
    <SkeletonRows label={t({ id: 'billing.budget.loading', defaultMessage: 'The budgets are loading' })} />
  );
}

type Row = { readonly id: string; readonly budget: Budget; readonly request?: BudgetRequest };

function BudgetTable({ budgets }: { budgets: Budgets }) {
  const mayManage = useRight('budget:manage');
  const nameOf = useScopeName(budgets.people);
  const columns = useBudgetColumns();
  const [{ budget: open }, setFilters] = useUrlFilters(budgetInUrl);
  const rows = inOrder(budgets.items, nameOf).flatMap((budget): Row[] => [
    { id: budget.id, budget },
    ...budgets.requests
      .filter(({ budgetId }) => budgetId === budget.id)
      .map((request) => ({ id: `${budget.id} ${request.userId}`, budget, request })),
  ]);
  return (
    <>
      <ListTable
        columns={columns}
        items={rows}
        isCurrent={({ id }) => id === open}
        cells={({ budget, request }) =>
          request ? (
            <BudgetRequestCells
              request={request}
              budget={budget}
              budgets={budgets}
              columns={columns.length}
              onRaise={() => setFilters({ budget: budget.id, raise: request.userId })}
            />
          ) : (
            <BudgetCells
              budget={budget}
              name={nameOf(budget.scope)}
              budgets={budgets}
              onOpen={mayManage ? () => setFilters({ budget: budget.id, raise: null }) : null}
            />
          )
        }
      />
      <BudgetLegend />
    </>
  );
}

function NoBudgets({ currency }: Pick<Budgets, 'currency'>) {
  const { t } = useText();
  return (
    <>
      <StateView icon={PiggyBank} title={t({ id: 'billing.budget.empty', defaultMessage: 'No budgets yet' })}>
        {t({
          id: 'billing.budget.emptyText',
          defaultMessage:
            'A budget warns or stops the organisation, a group, a person or a model at an amount of each day, week or month.',
        })}
      </StateView>
      {currency === null ? (
        <div className={classes.notes}>
          <Note kind="info">
            {t({
              id: 'billing.budget.noPrices',
              defaultMessage:
                'There are no prices yet, so budgets are in tokens. A platform admin of this installation sets prices.',
            })}{' '}
            <SetPrices />
          </Note>
        </div>
      ) : null}
    </>
  );
}
