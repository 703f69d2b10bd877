import { NativeSelect } from '@mantine/core';
import { useState } from 'react';
import { useFormats } from '../../../lib/formats.ts';
import { useText } from '../../../lib/text.ts';

const offered = [1, 3, 7, 14, 30, 90];
const dayMs = 24 * 3_600_000;

type Props = { label: string; value: number; isReadOnly?: boolean; onChange: (days: number) => void };

/** How long it stays open, with the day on which it ends. */
export function DaysChoice({ label, value, isReadOnly = false, onChange }: Props) {
  const { t } = useText();
  const { date } = useFormats();
  const [now] = useState(() => Date.now());
  const text = (days: number) =>
    t(
      { id: 'organisation.days.option', defaultMessage: '{days, plural, one {# day} other {# days}}, until {date}' },
      { days, date: date(now + days * dayMs) },
    );
  return (
    <NativeSelect
      name="days"
      label={label}
      value={String(value)}
      disabled={isReadOnly}
      data={offered.map((days) => ({ value: String(days), label: text(days) }))}
      onChange={(event) => onChange(Number(event.currentTarget.value))}
    />
  );
}
