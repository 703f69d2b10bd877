import { useMemo } from 'react';
import { useIntl } from 'react-intl';

const minuteMs = 60_000;
const dayMs = 24 * 60 * minuteMs;

/** The one clock of every language: 24 hours. */
export const clockTime = { hour: '2-digit', minute: '2-digit', hourCycle: 'h23' } as const;

/** Dates, figures and sizes, only through `Intl`. */
export function useFormats() {
  const intl = useIntl();
  return useMemo(() => {
    const number = (value: number) => intl.formatNumber(value);
    const price = (micros: number, currency: string) =>
      intl.formatNumber(micros / 1e6, { style: 'currency', currency, maximumFractionDigits: 6 });
    /** Minor units, such as cents, as an amount of the currency. */
    const money = (minor: number, currency: string) =>
      intl.formatNumber(minor / 10 ** digitsOf(currency), { style: 'currency', currency });
    /** A day without a time, such as `2026-11-21`. */
    const day = (iso: string) =>
      intl.formatDate(iso, { day: 'numeric', month: 'short', year: 'numeric', timeZone: 'UTC' });
    /** Micro-units; of less than a tenth two digits that say something are kept. */
    const cost = (micros: number, currency: string) =>
      intl.formatNumber(micros / 1e6, {
        style: 'currency',
        currency,
        ...(micros > 0 && micros < 1e5 ? { maximumSignificantDigits: 2 } : { maximumFractionDigits: 2 }),
      });
    const clock = (iso: string | number) => intl.formatDate(iso, clockTime);
    const date = (iso: string | number) => intl.formatDate(iso, { day: 'numeric', month: 'short', year: 'numeric' });
    const exact = (iso: string | number) =>
      intl.formatDate(iso, { dateStyle: 'medium', timeStyle: 'medium', hourCycle: 'h23' });
    /** Day and time, to the minute. */
    const minute = (iso: string | number) =>
      intl.formatDate(iso, { day: 'numeric', month: 'short', year: 'numeric', ...clockTime });
    /** The time of today, else day and time. */
    const moment = (iso: string, now = Date.now()) =>
      new Date(iso).toDateString() === new Date(now).toDateString() ? clock(iso) : minute(iso);
    const size = (bytes: number) => {
      const units = ['byte', 'kilobyte', 'megabyte', 'gigabyte'] as const;
      const power = units.findLastIndex((_unit, at) => bytes >= 1000 ** at);
      const unit = units[Math.max(power, 0)]!;
      const value = bytes / 1000 ** Math.max(power, 0);
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
    return { number, price, money, cost, day, clock, date, exact, minute, moment, size, seconds, ago };
  }, [intl]);
}

/** That of the device. */
export const ownTimeZone = (): string => new Intl.DateTimeFormat().resolvedOptions().timeZone;

/** How many digits stand behind the point: 2 of EUR, none of JPY. */
export const digitsOf = (currency: string): number =>
  new Intl.NumberFormat('en', { style: 'currency', currency }).resolvedOptions().maximumFractionDigits ?? 0;

/** `8.20` or `8,20` in minor units; null when it is no amount above 0, or more exact than the currency. */
export function minorOf(text: string, currency: string): number | null {
  const [, whole = '', fraction = ''] = /^(\d{1,12})(?:[.,](\d{1,4}))?$/.exec(text.trim()) ?? [];
  const digits = digitsOf(currency);
  const minor = Number(whole + fraction.padEnd(digits, '0'));
  return whole === '' || fraction.length > digits || minor <= 0 ? null : minor;
}
