import { ChevronLeft, ChevronRight } from 'lucide-react';
import { useText } from '../../../lib/text.ts';
import { IconButton } from '../../../ui/icon-button.tsx';
import table from '../../../ui/table.module.css';
import { monthFrom } from '../../../lib/days.ts';
import classes from './usage.module.css';

type Props = { month: string; isLatest: boolean; onChange: (month: string) => void };

/** Which month is shown, and the ways to those beside it. */
export function MonthBar({ month, isLatest, onChange }: Props) {
  const { t, intl } = useText();
  const name = intl.formatDate(`${month}-15`, { month: 'long', year: 'numeric', timeZone: 'UTC' });
  return (
    <div className={table.bar}>
      <IconButton
        label={t({ id: 'settings.usage.earlier', defaultMessage: 'One month earlier' })}
        icon={ChevronLeft}
        isMirrored
        onClick={() => onChange(monthFrom(month, -1))}
      />
      <h2 className={`p-h3 ${classes.month}`} aria-live="polite">
        {name}
      </h2>
      {isLatest ? null : (
        <IconButton
          label={t({ id: 'settings.usage.later', defaultMessage: 'One month later' })}
          icon={ChevronRight}
          isMirrored
          onClick={() => onChange(monthFrom(month, 1))}
        />
      )}
    </div>
  );
}
