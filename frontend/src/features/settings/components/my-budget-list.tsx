import type { MyBudget } from '@parley/contracts';
import { useText } from '../../../lib/text.ts';
import { useBudgetAmounts } from '../use-budget-amounts.ts';
import { leftOf, type MyBudgets } from '../use-my-budgets.ts';
import classes from '../usage.module.css';

/** What bounds me here, each budget with what is spent and held of it. */
export function MyBudgetList({ budgets }: { budgets: MyBudgets }) {
  const { t } = useText();
  const title = t({ id: 'settings.usage.budgets', defaultMessage: 'Your budget' });
  return (
    <section aria-label={title} className={classes.sidePart}>
      <h3 className="p-h3">{title}</h3>
      {budgets.items.length === 0 ? (
        <p className="p-sm p-quiet">
          {t({ id: 'settings.usage.noBudget', defaultMessage: 'No budget bounds what you use here.' })}
        </p>
      ) : (
        budgets.items.map((budget) => <OneBudget key={budget.id} budget={budget} budgets={budgets} />)
      )}
    </section>
  );
}

function OneBudget({ budget, budgets }: { budget: MyBudget; budgets: MyBudgets }) {
  const { t } = useText();
  const { amount, nameOf, resets } = useBudgetAmounts(budgets);
  const { spent, held, softLimit, hardLimit } = budget;
  const limit = hardLimit ?? softLimit ?? 1;
  const facts = [
    { label: t({ id: 'settings.usage.budgetSpent', defaultMessage: 'Spent' }), value: amount(budget, spent) },
    ...(held > 0
      ? [{ label: t({ id: 'settings.usage.budgetHeld', defaultMessage: 'Held' }), value: amount(budget, held) }]
      : []),
    ...(softLimit === null
      ? []
      : [
          {
            label: t({ id: 'settings.usage.budgetTold', defaultMessage: 'Told at' }),
            value: amount(budget, softLimit),
          },
        ]),
    ...(hardLimit === null
      ? []
      : [
          {
            label: t({ id: 'settings.usage.budgetStops', defaultMessage: 'Stops at' }),
            value: amount(budget, hardLimit),
          },
          { label: t({ id: 'settings.usage.left', defaultMessage: 'Left' }), value: amount(budget, leftOf(budget)) },
        ]),
    { label: t({ id: 'settings.usage.again', defaultMessage: 'Starts again' }), value: resets(budget) },
  ];
  const isSpent = hardLimit !== null && spent + held >= hardLimit;
  const isNear = softLimit !== null && spent >= softLimit;
  const share = (value: number) => `${Math.min(100, (100 * value) / limit)}%`;
  return (
    <div className={classes.budget}>
      <p className={classes.budgetName}>
        <bdi>{nameOf(budget)}</bdi>
      </p>
      <span
        className={classes.budgetBar}
        data-state={isSpent ? 'spent' : isNear ? 'near' : undefined}
        aria-hidden="true"
      >
        <i className={classes.budgetSpent} style={{ inlineSize: share(spent) }} />
        <i className={classes.budgetHeld} style={{ inlineSize: share(held) }} />
      </span>
      <dl className={classes.facts}>
        {facts.map(({ label, value }) => (
          <div key={label}>
            <dt>{label}</dt>
            <dd>{value}</dd>
          </div>
        ))}
      </dl>
    </div>
  );
}
