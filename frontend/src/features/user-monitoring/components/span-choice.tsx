import type { PeopleSpan } from '@parley/contracts';
import { useText } from '../../../lib/text.ts';
import { spans } from '../use-people.ts';
import { Segments } from '../../../ui/segments.tsx';

type Props = { span: PeopleSpan; onChange: (span: PeopleSpan) => void };

export function SpanChoice({ span, onChange }: Props) {
  const { t } = useText();
  const names: Record<PeopleSpan, string> = {
    week: t({ id: 'people.span.week', defaultMessage: '7 days' }),
    month: t({ id: 'people.span.month', defaultMessage: '30 days' }),
  };
  return (
    <Segments
      label={t({ id: 'people.span.label', defaultMessage: 'Time that is shown' })}
      options={spans.map((value) => ({ value, label: names[value] }))}
      value={span}
      onChange={onChange}
    />
  );
}
