import type { KnownBudget } from '@parley/contracts';
import { stateOf } from './use-budgets.ts';
import classes from './budget.module.css';

/** Beyond a limit there is room to see that it was passed. */
const room = 1.06;

/** Spent is solid, held is hatched, the limits are ticks. For the eye only: the figures beside it say the same. */
export function BudgetBar({ budget }: { budget: KnownBudget }) {
  const { spent, held, softLimit, hardLimit } = budget;
  const full = Math.max((hardLimit ?? softLimit ?? 1) * room, spent + held);
  const share = (value: number) => `${(100 * value) / full}%`;
  return (
    <span className={classes.bar} data-state={stateOf(budget)} aria-hidden="true">
      <span className={classes.spent} style={{ inlineSize: share(spent) }} />
      <span className={classes.held} style={{ inlineSize: share(held) }} />
      {softLimit === null ? null : <span className={classes.warn} style={{ insetInlineStart: share(softLimit) }} />}
      {hardLimit === null ? null : <span className={classes.stop} style={{ insetInlineStart: share(hardLimit) }} />}
    </span>
  );
}
