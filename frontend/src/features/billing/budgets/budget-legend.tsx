import { useText } from '../../../lib/text.ts';
import classes from './budget.module.css';

/** What the marks of the bars mean. */
export function BudgetLegend() {
  const { t } = useText();
  const marks = [
    { mark: classes.spent, text: t({ id: 'billing.budget.legendSpent', defaultMessage: 'spent' }) },
    {
      mark: classes.held,
      text: t({ id: 'billing.budget.legendHeld', defaultMessage: 'held by answers that are being written' }),
    },
    { mark: classes.warn, text: t({ id: 'billing.budget.legendWarn', defaultMessage: 'warn' }) },
    { mark: classes.stop, text: t({ id: 'billing.budget.legendStop', defaultMessage: 'stop' }) },
  ];
  return (
    <p className={classes.legend}>
      {marks.map(({ mark, text }) => (
        <span key={text}>
          <i className={mark} aria-hidden="true" />
          {text}
        </span>
      ))}
    </p>
  );
}
