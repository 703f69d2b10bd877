import type { MyBudget } from '@parley/contracts';
import { isOpen, leftOf, shareOf, type MyBudgets, type OpenBudget } from '../../../domain/budget/my-budgets.ts';
import { useText } from '../../../lib/text.ts';
import { useBudgetAmounts } from './use-budget-amounts.ts';
import classes from './usage.module.css';

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

type Fact = { readonly label: string; readonly value: string };

/** Amounts of my own budget, and of others where I may see them; of the rest only the share that is left. */
function useFacts(budgets: MyBudgets) {
  const { t } = useText();
  const { amount, percentLeft } = useBudgetAmounts(budgets);
  const left = t({ id: 'settings.usage.left', defaultMessage: 'Left' });
  const ofOpen = (budget: OpenBudget): Fact[] => {
    const { spent, held, softLimit, hardLimit } = budget;
    const facts: [number | null, string][] = [
      [spent, t({ id: 'settings.usage.budgetSpent', defaultMessage: 'Spent' })],
      [held || null, t({ id: 'settings.usage.budgetHeld', defaultMessage: 'Held' })],
      [softLimit, t({ id: 'settings.usage.budgetTold', defaultMessage: 'Told at' })],
      [hardLimit, t({ id: 'settings.usage.budgetStops', defaultMessage: 'Stops at' })],
      [hardLimit === null ? null : leftOf(budget), left],
    ];
    return facts.flatMap(([value, label]) => (value === null ? [] : { label, value: amount(budget, value) }));
  };
  return (budget: MyBudget): Fact[] =>
    isOpen(budget) ? ofOpen(budget) : [{ label: left, value: percentLeft(budget) }];
}

function OneBudget({ budget, budgets }: { budget: MyBudget; budgets: MyBudgets }) {
  const { t } = useText();
  const { nameOf, since, resets } = useBudgetAmounts(budgets);
  const factsOf = useFacts(budgets);
  const { countsFrom } = budget;
  const facts = [
    ...factsOf(budget),
    ...(countsFrom
      ? [{ label: t({ id: 'settings.usage.since', defaultMessage: 'Counted since' }), value: since(countsFrom) }]
      : []),
    { label: t({ id: 'settings.usage.again', defaultMessage: 'Resets' }), value: resets(budget) },
  ];
  const { usedPercent, stops, isWarned } = shareOf(budget);
  const limit = budget.hardLimit ?? budget.softLimit ?? 1;
  const share = (value: number) => `${Math.min(100, (100 * value) / limit)}%`;
  const state = stops && usedPercent === 100 ? 'spent' : isWarned ? 'near' : undefined;
  return (
    <div className={classes.budget}>
      <p className={classes.budgetName}>
        <bdi>{nameOf(budget)}</bdi>
      </p>
      <span className={classes.budgetBar} data-state={state} aria-hidden="true">
        <i
          className={classes.budgetSpent}
          style={{ inlineSize: isOpen(budget) ? share(budget.spent) : `${usedPercent}%` }}
        />
        <i className={classes.budgetHeld} style={{ inlineSize: share(budget.held ?? 0) }} />
      </span>
      <dl className={`p-facts p-figures ${classes.facts}`}>
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
