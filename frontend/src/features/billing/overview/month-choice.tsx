import { ChevronLeft, ChevronRight } from 'lucide-react';
import { monthFrom } from '../../../lib/days.ts';
import { useText } from '../../../lib/text.ts';
import { IconButton } from '../../../ui/icon-button.tsx';
import table from '../../../ui/table.module.css';
import classes from '../parts/billing.module.css';

type Props = {
  month: string;
  isLatest: boolean;
  /** Names the time zone of budgets, by whose days money is added up. */
  timeZone: string;
  onChange: (month: string) => void;
};

/** Which month is shown, and the ways to those beside it. */
export function MonthChoice({ month, isLatest, timeZone, onChange }: Props) {
  const { t, intl } = useText();
  return (
    <div className={table.bar}>
      <IconButton
        label={t({ id: 'billing.month.earlier', defaultMessage: 'One month earlier' })}
        icon={ChevronLeft}
        isMirrored
        onClick={() => onChange(monthFrom(month, -1))}
      />
      <h2 className={`p-h3 ${classes.month}`} aria-live="polite">
        {intl.formatDate(`${month}-15`, { month: 'long', year: 'numeric', timeZone: 'UTC' })}
      </h2>
      {isLatest ? null : (
        <IconButton
          label={t({ id: 'billing.month.later', defaultMessage: 'One month later' })}
          icon={ChevronRight}
          isMirrored
          onClick={() => onChange(monthFrom(month, 1))}
        />
      )}
      <span className={table.end}>
        {timeZone === 'UTC'
          ? t({ id: 'billing.month.zone', defaultMessage: 'Days and months begin at 00:00 UTC.' })
          : t(
              {
                id: 'billing.month.money',
                defaultMessage:
                  'Money is added up by days in {timeZone}, like budgets. Answers are counted by days in UTC.',
              },
              { timeZone: `\u2066${timeZone}\u2069` },
            )}
      </span>
    </div>
  );
}
