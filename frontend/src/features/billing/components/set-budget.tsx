import { Button } from '@mantine/core';
import { useRight } from '../../../lib/tab-organisation.tsx';
import { useText } from '../../../lib/text.ts';
import { useUrlFilters } from '../../../lib/url-filters.ts';
import { useActionOff } from '../../../ui/stale.tsx';
import { budgetInUrl } from '../budget-in-url.ts';

/** Opens the panel for a new budget. */
export function SetBudget() {
  const { t } = useText();
  const off = useActionOff();
  const [{ budget }, setFilters] = useUrlFilters(budgetInUrl);
  if (!useRight('budget:manage')) return null;
  return (
    <Button variant={budget ? 'default' : 'filled'} onClick={() => setFilters({ budget: 'new', raise: null })} {...off}>
      {t({ id: 'billing.budget.set', defaultMessage: 'Set a budget' })}
    </Button>
  );
}
