import { useAmounts } from '../use-amounts.ts';
import { budgetStateOf } from '../budget-state.ts';
import classes from '../user-monitoring.module.css';

/** How much of a budget is used; beyond the limit the bar is full and the figure goes on. */
export function BudgetMeter({ percent }: { percent: number }) {
  const amounts = useAmounts(null);
  return (
    <span className={classes.meter}>
      <span className={classes.track} data-state={budgetStateOf(percent) ?? undefined} aria-hidden="true">
        <i className={classes.filled} style={{ inlineSize: `${Math.min(100, percent)}%` }} />
      </span>
      <span>{amounts.percent(percent / 100)}</span>
    </span>
  );
}
