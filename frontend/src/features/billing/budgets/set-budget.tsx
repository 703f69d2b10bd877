import { Button } from '@mantine/core';
import { useRight } from '../../../lib/tab-organisation.tsx';
import { useText } from '../../../lib/text.ts';
import { useUrlFilters } from '../../../lib/url-filters.ts';
import { useActionOff } from '../../../ui/stale.tsx';
import { budgetInUrl } from './budget-in-url.ts';

/** Opens the panel for a new budget, beside the list of all. Quiet while another panel has the action to take. */
export function SetBudget({ isQuiet }: { isQuiet: boolean }) {
  const { t } = useText();
  const off = useActionOff();
  const [{ budget }, setFilters] = useUrlFilters({ ...budgetInUrl, tab: 'text' });
  if (!useRight('budget:manage')) return null;
  return (
    <Button
      variant={budget || isQuiet ? 'default' : 'filled'}
      onClick={() => setFilters({ tab: 'budgets', budget: 'new', raise: null })}
      {...off}
    >
      {t({ id: 'billing.budget.set', defaultMessage: 'Set a budget' })}
    </Button>
  );
}
