import { useMemo } from 'react';
import { useIntl } from 'react-intl';

const minuteMs = 60_000;
const dayMs = 24 * 60 * minuteMs;

/** Dates, figures and sizes, only through `Intl`. */
export function useFormats() {
  const intl = useIntl();
  return useMemo(() => {
    const number = (value: number) => intl.formatNumber(value);
    const clock = (iso: string | number) => intl.formatDate(iso, { hour: '2-digit', minute: '2-digit', hour12: false });
    const date = (iso: string | number) => intl.formatDate(iso, { day: 'numeric', month: 'short', year: 'numeric' });
    const exact = (iso: string | number) => intl.formatDate(iso, { dateStyle: 'medium', timeStyle: 'medium' });
    const size = (bytes: number) => {
      const [value, unit] =
        bytes >= 1e6 ? [bytes / 1e6, 'megabyte'] : bytes >= 1000 ? [bytes / 1000, 'kilobyte'] : [bytes, 'byte'];
      return intl.formatNumber(value, {
        style: 'unit',
        unit,
        unitDisplay: unit === 'byte' ? 'long' : 'short',
        maximumFractionDigits: value < 10 ? 1 : 0,
      });
    };
    const seconds = (ms: number) =>
      intl.formatMessage(
        { id: 'format.duration.seconds', defaultMessage: '{value} s' },
        { value: intl.formatNumber(ms / 1000, { maximumFractionDigits: ms < 10_000 ? 1 : 0 }) },
      );
    /** Relative within a day, then the date. */
    const ago = (iso: string, now = Date.now()) => {
      const past = now - Date.parse(iso);
      if (past >= dayMs) return date(iso);
      if (past < minuteMs) return intl.formatRelativeTime(0, 'second', { numeric: 'auto' });
      const [value, unit] =
        past < 60 * minuteMs ? ([past / minuteMs, 'minute'] as const) : ([past / (60 * minuteMs), 'hour'] as const);
      return intl.formatRelativeTime(-Math.floor(value), unit);
    };
    return { number, clock, date, exact, size, seconds, ago };
  }, [intl]);
}
