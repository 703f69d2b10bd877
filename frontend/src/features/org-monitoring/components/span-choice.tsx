import type { MetricSpan } from '@parley/contracts';
import { useText } from '../../../lib/text.ts';
import { Segments } from '../../../ui/segments.tsx';

type Props = { span: MetricSpan; onChange: (span: MetricSpan) => void };

export function SpanChoice({ span, onChange }: Props) {
  const { t } = useText();
  const names: Record<MetricSpan, string> = {
    hour: t({ id: 'monitoring.span.hour', defaultMessage: '1 h' }),
    day: t({ id: 'monitoring.span.day', defaultMessage: '24 h' }),
    week: t({ id: 'monitoring.span.week', defaultMessage: '7 d' }),
    month: t({ id: 'monitoring.span.month', defaultMessage: '30 d' }),
  };
  return (
    <Segments
      label={t({ id: 'monitoring.span.label', defaultMessage: 'Time that is shown' })}
      options={(Object.keys(names) as MetricSpan[]).map((value) => ({ value, label: names[value] }))}
      value={span}
      onChange={onChange}
    />
  );
}
