import type { Budget, KnownBudget } from '@parley/contracts';
import { useText } from '../../../lib/text.ts';
import { Status, type Column } from '../../../ui/list-table.tsx';
import table from '../../../ui/table.module.css';
import { isKnown, leftOf, stateOf, type BudgetState, type Budgets } from './use-budgets.ts';
import { useBudgetWords } from './use-budget-words.ts';
import { BudgetBar } from './budget-bar.tsx';
import classes from './budget.module.css';

const shapes = { open: 'ok', warned: 'warning', stopped: 'bad' } as const;
type Props = { budget: Budget; name: string; budgets: Budgets; onOpen: (() => void) | null };

function useLabels() {
  const { t } = useText();
  return {
    name: t({ id: 'billing.budget.name', defaultMessage: 'Budget' }),
    used: t({ id: 'billing.budget.used', defaultMessage: 'Used' }),
    spent: t({ id: 'billing.budget.spent', defaultMessage: 'Spent' }),
    held: t({ id: 'billing.budget.held', defaultMessage: 'Held' }),
    left: t({ id: 'billing.budget.left', defaultMessage: 'Left' }),
    warn: t({ id: 'billing.budget.warn', defaultMessage: 'Warn' }),
    stop: t({ id: 'billing.budget.stop', defaultMessage: 'Stop' }),
    state: t({ id: 'billing.budget.state', defaultMessage: 'State' }),
  };
}

export function useBudgetColumns(): Column[] {
  const labels = useLabels();
  const warn = <span className={classes.wide}>{labels.warn}</span>;
  return [
    { key: 'name', label: labels.name },
    { key: 'used', label: labels.used },
    { key: 'spent', label: labels.spent, isFigure: true },
    { key: 'held', label: labels.held, isFigure: true },
    { key: 'left', label: labels.left, isFigure: true },
    { key: 'warn', label: labels.warn, isFigure: true, head: warn },
    { key: 'stop', label: labels.stop, isFigure: true },
    { key: 'state', label: labels.state },
  ];
}

/** One budget; its name opens it for whoever may change it. */
export function BudgetCells({ budget, name, budgets, onOpen }: Props) {
  const { t } = useText();
  const labels = useLabels();
  const { figure, day, moment } = useBudgetWords(budgets);
  const { scope, period, unit, spent, held, softLimit, hardLimit, periodStart, countsFrom, resetsAt } = budget;
  const left = leftOf(budget);
  const orNone = (value: number | null) => (value === null ? '–' : figure(budget, value));
  return (
    <>
      <td>
        {onOpen ? (
          <button type="button" className={`p-plain ${classes.open}`} onClick={onOpen}>
            <bdi>{name}</bdi>
          </button>
        ) : (
          <bdi className={table.name}>{name}</bdi>
        )}
        <span className={table.second} title={moment(countsFrom ?? periodStart)}>
          {t(
            {
              id: 'billing.budget.kind',
              defaultMessage:
                '{scope, select, organisation {Organisation} group {Group} person {Person} chatbot {Chatbot} other {Model}}, {period, select, day {daily} week {weekly} other {monthly}}, {unit, select, tokens {tokens} other {money}}, since {since}',
            },
            { scope: scope.kind, period, unit, since: day(countsFrom ?? periodStart) },
          )}
        </span>
      </td>
      <td className={classes.barCell}>{isKnown(budget) ? <BudgetBar budget={budget} /> : null}</td>
      <td className={table.figure} data-label={labels.spent}>
        {orNone(spent)}
      </td>
      <td className={`${table.figure} ${table.quiet}`} data-label={labels.held}>
        {orNone(held)}
      </td>
      <td className={table.figure} data-label={labels.left}>
        {orNone(left)}
      </td>
      <td className={`${table.figure} ${table.quiet} ${classes.warnCell}`}>
        <span className={classes.wide}>{orNone(softLimit)}</span>
      </td>
      <td className={table.figure} data-label={labels.stop}>
        {orNone(hardLimit)}
      </td>
      <td className={classes.stateCell}>
        {isKnown(budget) ? <State budget={budget} /> : <Hidden />}
        <span className={table.second} title={moment(resetsAt)}>
          {t({ id: 'billing.budget.resets', defaultMessage: 'again on {day}' }, { day: day(resetsAt) })}
        </span>
      </td>
    </>
  );
}

/** What one person or a few have used is for those only who may see what each person uses. */
function Hidden() {
  const { t } = useText();
  const title = t({
    id: 'billing.budget.hiddenAbout',
    defaultMessage: 'Only people who can see what each person uses see this.',
  });
  return (
    <span className={table.quiet} title={title}>
      {t({ id: 'billing.budget.hidden', defaultMessage: 'Hidden' })}
    </span>
  );
}

function State({ budget }: { budget: KnownBudget }) {
  const { t, intl } = useText();
  const { spent, softLimit, hardLimit } = budget;
  const state = stateOf(budget);
  const share = intl.formatNumber(spent / (hardLimit ?? softLimit ?? 1), {
    style: 'percent',
    maximumFractionDigits: 0,
  });
  const words: Record<BudgetState, string> = {
    open: share,
    warned: t({ id: 'billing.budget.warned', defaultMessage: '{share}, warned' }, { share }),
    stopped: t({ id: 'billing.budget.stopped', defaultMessage: 'Stopped' }),
  };
  return <Status kind={shapes[state]}>{words[state]}</Status>;
}
