import { searchKeys, sortNameOf } from '@parley/platform/text';
import type { PersonPrincipal, Rate, RateId } from '@parley/contracts';
import type { NewRateRow, RateRow } from './rate.collection.ts';

/** What an attempt has used. `cachedTokens` are part of `inputTokens`. */
export type Tokens = { readonly inputTokens: number; readonly outputTokens: number; readonly cachedTokens: number };
type Prices = Pick<RateRow, 'inputMicros' | 'outputMicros' | 'cachedMicros'>;
type Validity = Pick<RateRow, 'validFrom' | 'validUntil'>;
type Key = Pick<RateRow, 'host' | 'model'>;

const perTokens = 1_000_000n;

/** In micro-units; the kinds of tokens are added up first, and rounded half up once. */
export function costOf({ inputTokens, outputTokens, cachedTokens }: Tokens, prices: Prices): number {
  const millionths =
    BigInt(inputTokens - cachedTokens) * BigInt(prices.inputMicros) +
    BigInt(cachedTokens) * BigInt(prices.cachedMicros) +
    BigInt(outputTokens) * BigInt(prices.outputMicros);
  return Number((millionths + perTokens / 2n) / perTokens);
}

/** What somebody wants to be a price; a beginning of null is now. */
export type WantedRate = Key &
  Prices & { readonly id: RateId; readonly validFrom: Date | null; readonly validUntil: Date | null };

const endOf = ({ validUntil }: Validity): number => validUntil?.getTime() ?? Number.POSITIVE_INFINITY;

/** Whether there is a moment at which both hold; at its end a price does not hold any more. */
export const overlap = (one: Validity, other: Validity): boolean =>
  Math.max(one.validFrom.getTime(), other.validFrom.getTime()) < Math.min(endOf(one), endOf(other));

/** For the same answers. */
export const isSameKey = (one: Key, other: Key): boolean => one.model === other.model && one.host === other.host;

const isSamePrice = (one: Prices, other: Prices): boolean =>
  one.inputMicros === other.inputMicros &&
  one.outputMicros === other.outputMicros &&
  one.cachedMicros === other.cachedMicros;

/** Whether the price that is there says all that is wanted. */
export const says = (there: RateRow, wanted: WantedRate, now: Date): boolean =>
  isSamePrice(there, wanted) &&
  endOf(there) === endOf({ ...wanted, validFrom: now }) &&
  (wanted.validFrom
    ? wanted.validFrom.getTime() === there.validFrom.getTime()
    : there.validFrom <= now && endOf(there) > now.getTime());

export const mayBeReplacedBy = (there: Validity, wanted: Validity): boolean =>
  there.validUntil === null && there.validFrom < wanted.validFrom;

/** The past stays as it is: entries have been priced by it, or not. */
export type TimeFault = 'past' | 'ends-before';
export function timeFaultOf({ validFrom, validUntil }: WantedRate, now: Date): TimeFault | null {
  if (validFrom && validFrom < now) return 'past';
  return validUntil && validUntil <= (validFrom ?? now) ? 'ends-before' : null;
}

export function newRate({ id, ...wanted }: WantedRate, by: PersonPrincipal, now: Date): NewRateRow {
  return {
    _id: id,
    ...wanted,
    sortName: sortNameOf(wanted.model),
    validFrom: wanted.validFrom ?? now,
    by: personOf(by),
    endedBy: null,
    version: 1,
    words: searchKeys(`${wanted.model} ${wanted.host ?? ''}`),
  };
}

export const personOf = ({ userId, name }: PersonPrincipal): RateRow['by'] => ({ userId, name });

export function toRate(row: RateRow): Rate {
  const { _id: id, host, model, inputMicros, outputMicros, cachedMicros, by, endedBy, version } = row;
  const validFrom = row.validFrom.toISOString();
  const validUntil = row.validUntil?.toISOString() ?? null;
  return { id, host, model, inputMicros, outputMicros, cachedMicros, validFrom, validUntil, by, endedBy, version };
}
