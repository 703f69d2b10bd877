import { dayAt, startOfDay } from '@parley/contracts';
import { dayAfter } from '../lib/days.ts';
import { useTab } from '../lib/tab-organisation.tsx';
import classes from './day-range.module.css';

type Range = { readonly from: string | null; readonly until: string | null };
const isTime = (text: string | null): text is string => text !== null && !Number.isNaN(Date.parse(text));

type Props = Range & {
  labels: { readonly from: string; readonly until: string };
  onChange: (part: Partial<Range>) => void;
};

/** First and last day, in the time zone of the organisation; the address holds the times that they begin and end at. */
export function DayRange({ labels, from, until, onChange }: Props) {
  const { timeZone } = useTab().organisation;
  const first = isTime(from) ? dayAt(Date.parse(from), timeZone) : '';
  const last = isTime(until) ? dayAt(Date.parse(until) - 1, timeZone) : '';
  const days = [
    { name: 'from', label: labels.from, value: first, timeOf: (day: string) => startOfDay(day, timeZone) },
    { name: 'until', label: labels.until, value: last, timeOf: (day: string) => startOfDay(dayAfter(day), timeZone) },
  ];
  return days.map(({ name, label, value, timeOf }) => (
    <label key={name} className={classes.day} title={timeZone}>
      {label}
      <input
        type="date"
        min="2020-01-01"
        max="2099-12-31"
        value={value}
        onChange={({ currentTarget }) => {
          // While a year is being typed it is one of long ago.
          if (currentTarget.validity.valid)
            onChange({ [name]: currentTarget.value ? timeOf(currentTarget.value) : null });
        }}
      />
    </label>
  ));
}
