import { dayAt, type MetricSpan } from '@parley/contracts';
import type { Step } from './metric.ts';

const minuteMs = 60_000;
const stepMs: Record<Step, number> = { minute: minuteMs, hour: 60 * minuteMs, day: 24 * 60 * minuteMs };
/** So many characters of an ISO time name its minute, hour or day. */
const nameLength: Record<Step, number> = { minute: 16, hour: 13, day: 10 };
const spans: Record<MetricSpan, { readonly step: Step; readonly count: number }> = {
  hour: { step: 'minute', count: 60 },
  day: { step: 'hour', count: 24 },
  week: { step: 'day', count: 7 },
  month: { step: 'day', count: 30 },
};

/** Which minute or hour, in UTC, or which day of the time zone: `2026-11-21T10:05`, `2026-11-21T10`, `2026-11-21`. */
export const startOf = (step: Step, at: Date, timeZone: string): string =>
  step === 'day' ? dayAt(at, timeZone) : at.toISOString().slice(0, nameLength[step]);

/** So many steps, the last of which is now, oldest first. A day is a date: no clock change makes one more or less. */
export function lastSteps(step: Step, count: number, now: { readonly at: Date; readonly timeZone: string }): string[] {
  const last = Date.parse(step === 'day' ? dayAt(now.at, now.timeZone) : now.at.toISOString());
  return Array.from({ length: count }, (_, index) =>
    new Date(last - (count - 1 - index) * stepMs[step]).toISOString().slice(0, nameLength[step]),
  );
}

/** The steps of a span, and as many before them as are over in it. */
export function stepsOf(span: MetricSpan, now: { readonly at: Date; readonly timeZone: string }) {
  const { step, count } = spans[span];
  const all = lastSteps(step, 2 * count - 1, now);
  return { step, before: all.slice(0, count - 1), current: all.slice(count - 1) };
}

/** As the contract gives it: a date, or a time. */
export const toStart = (step: Step, start: string): string =>
  step === 'day' ? start : new Date(`${start}${step === 'hour' ? ':00' : ''}Z`).toISOString();
