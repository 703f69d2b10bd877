import type { PeopleSpan } from '@parley/contracts';
import { useText } from '../../../lib/text.ts';
import { spans } from '../use-people.ts';
import classes from '../user-monitoring.module.css';

type Props = { span: PeopleSpan; onChange: (span: PeopleSpan) => void };

export function SpanChoice({ span, onChange }: Props) {
  const { t } = useText();
  const names: Record<PeopleSpan, string> = {
    week: t({ id: 'people.span.week', defaultMessage: '7 days' }),
    month: t({ id: 'people.span.month', defaultMessage: '30 days' }),
  };
  return (
    <fieldset
      aria-label={t({ id: 'people.span.label', defaultMessage: 'Time that is shown' })}
      className={classes.segments}
    >
      {spans.map((one) => (
        <button key={one} type="button" aria-pressed={one === span} onClick={() => onChange(one)}>
          {names[one]}
        </button>
      ))}
    </fieldset>
  );
}
