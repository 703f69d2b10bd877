import { idPrefixes, type IdKind, type IdOf } from '@parley/contracts';
import { hash } from 'node:crypto';
import { monotonicFactory } from 'ulid';
import { randomPart } from './random-part.ts';

const ulid = monotonicFactory(() => randomPart(1)[0]! / 256);

/** Returns a new id of the kind: a ULID with prefix, ascending within this process. */
export function newId<Kind extends IdKind>(kind: Kind): IdOf[Kind] {
  return `${idPrefixes[kind]}_${ulid()}` as IdOf[Kind];
}

const digits = '0123456789ABCDEFGHJKMNPQRSTVWXYZ';
const length = 26;

/**
 * Returns an id derived from these values: equal values give the same id. It sorts like a new id of the moment `at`;
 * ids of one millisecond sort by `order`.
 */
export function derivedIdAt<Kind extends IdKind>(
  kind: Kind,
  values: readonly unknown[],
  { at, order }: { readonly at: Date; readonly order: number },
): IdOf[Kind] {
  const derived = derivedId(kind, values);
  return `${idPrefixes[kind]}_${inDigits(at.getTime(), 10)}${inDigits(order, 6)}${derived.slice(-10)}` as IdOf[Kind];
}

/** Returns the lowest id of a moment. Ids of that moment or later sort after it, earlier ones before it. */
export const lowestIdAt = <Kind extends IdKind>(kind: Kind, at: Date): IdOf[Kind] =>
  `${idPrefixes[kind]}_${inDigits(Math.max(0, at.getTime()), 10)}${'0'.repeat(16)}` as IdOf[Kind];

/** Returns the last `length` digits of the number, in the base-32 digits of ids. */
function inDigits(number: number, length: number): string {
  let text = '';
  for (let rest = number; text.length < length; rest = Math.floor(rest / digits.length))
    text = digits[rest % digits.length]! + text;
  return text;
}

/** Returns the id, changed if clients could create a row with it (`clientIdOf` of contracts). Few ids change. */
export const apartFromClients = <Id extends string>(id: Id): Id => id.replace(/_0(?=[1-3])/, '_7') as Id;

/** Returns an id derived from these values: equal values, equal id. It looks like a new id, but contains no time. */
export function derivedId<Kind extends IdKind>(kind: Kind, values: readonly unknown[]): IdOf[Kind] {
  const bytes = hash('sha256', JSON.stringify(values), 'buffer').subarray(0, length);
  // Limits the first digit, because a ULID begins with 0 to 7.
  const text = [...bytes].map((byte, at) => digits[byte & (at === 0 ? 7 : 31)]).join('');
  return `${idPrefixes[kind]}_${text}` as IdOf[Kind];
}
