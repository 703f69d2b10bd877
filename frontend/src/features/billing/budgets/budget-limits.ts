import type { BudgetUnit } from '@parley/contracts';
import { digitsOf, minorOf } from '../../../lib/formats.ts';

/** What the server takes at most: a thousand million of the currency in micro-units, or as many tokens. */
const highest = 1_000_000_000_000_000;
const microsOf = (currency: string): number => 10 ** (6 - digitsOf(currency));

/** A limit as one types it: in the currency, or in tokens. */
export function textOfLimit(limit: number | null, unit: BudgetUnit, currency: string): string {
  if (limit === null) return '';
  if (unit === 'tokens') return String(limit);
  const isExact = limit % microsOf(currency) === 0;
  return isExact ? (limit / 1e6).toFixed(digitsOf(currency)) : String(limit / 1e6);
}

/** What was typed as micro-units or tokens; null where nothing was, undefined where it is no limit. */
export function limitOfText(text: string, unit: BudgetUnit, currency: string): number | null | undefined {
  const typed = text.trim();
  if (typed === '') return null;
  const minor = minorOf(typed, currency);
  const limit =
    unit === 'money' ? (minor ?? Number.NaN) * microsOf(currency) : /^\d{1,16}$/.test(typed) ? Number(typed) : 0;
  return limit >= 1 && limit <= highest ? limit : undefined;
}
