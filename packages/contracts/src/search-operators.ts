import { z } from 'zod';

/** The words before the colon, the same in every language; those with a closed list have their values beside them. */
export const searchOperators = {
  in: null,
  from: ['me', 'chatbot'],
  has: ['file', 'image'],
  before: null,
  after: null,
} as const;
export type SearchOperator = keyof typeof searchOperators;

/** Limits the operators of a search; further ones are ignored. */
export const mostSearchOperators = 10;

/** An operator that doesn't count, and why: the rest is searched. */
export const ignoredOperator = z.strictObject({
  /** As it was typed. */
  operator: z.string(),
  reason: z.enum([
    'missing-value',
    'unknown-value',
    'unknown-project',
    'impossible-date',
    /** Another one of its kind, with another value, comes before it. */
    'repeated',
    /** It comes after the first `mostSearchOperators`. */
    'too-many',
  ]),
});
export type IgnoredOperator = z.infer<typeof ignoredOperator>;

/** Describes the messages that a search asks for. Days have no time zone yet. */
export type SearchQuery = {
  /** All that is no operator. */
  readonly words: string;
  /** The name of a project. */
  readonly in?: string;
  readonly from?: (typeof searchOperators.from)[number];
  readonly has: readonly (typeof searchOperators.has)[number][];
  /** Earlier than the beginning of this day. */
  readonly before?: string;
  /** From the beginning of this day on. */
  readonly after?: string;
  readonly ignored: readonly IgnoredOperator[];
};

type Read = Omit<SearchQuery, 'words' | 'ignored'>;

const quotes = /[“”„‟«»]/g;
/** Signs without width that come along with text that was copied from right to left. */
const directionMarks = /[\u061C\u200E\u200F\u202A-\u202E\u2066-\u2069]/g;
/** An operator, quoted text, or anything else up to the next space. A quote that is never closed ends with the text. */
const parts = /(?<name>in|from|has|before|after):(?:"(?<quoted>[^"]*)(?:"|$)|(?<plain>\S*))|"[^"]*"|\S+/gi;

/** Reads a search as it was typed. The browser and the service read it alike. */
export function parseSearch(text: string): SearchQuery {
  const words: string[] = [];
  const ignored: IgnoredOperator[] = [];
  let read: Read = { has: [] };
  let count = 0;
  for (const { 0: operator, groups } of text.replaceAll(directionMarks, '').replaceAll(quotes, '"').matchAll(parts)) {
    if (groups?.['name'] === undefined) {
      words.push(operator);
      continue;
    }
    count += 1;
    const name = groups['name'].toLowerCase() as SearchOperator;
    const value = (groups['quoted'] ?? groups['plain'] ?? '').trim();
    const next = count > mostSearchOperators ? 'too-many' : withOperator(read, name, value);
    if (typeof next === 'string') ignored.push({ operator, reason: next });
    else read = next;
  }
  return { ...read, words: words.join(' '), ignored };
}

function withOperator(read: Read, name: SearchOperator, value: string): Read | IgnoredOperator['reason'] {
  if (value === '') return 'missing-value';
  const known = name === 'in' ? value : name === 'before' || name === 'after' ? dayOf(value) : oneOf(name, value);
  if (known === null) return name === 'before' || name === 'after' ? 'impossible-date' : 'unknown-value';
  if (name === 'has') return { ...read, has: [...new Set([...read.has, known as SearchQuery['has'][number]])] };
  const earlier = read[name];
  return earlier === undefined || earlier === known ? { ...read, [name]: known } : 'repeated';
}

const oneOf = (name: 'from' | 'has', value: string): string | null =>
  searchOperators[name].find((one) => one === value.toLowerCase()) ?? null;

/** Null for a day that no calendar has. Keyboards of some languages have digits of their own. */
function dayOf(value: string): string | null {
  const day = value.replaceAll(/[\u0660-\u0669\u06F0-\u06F9]/g, (digit) => String(digit.charCodeAt(0) % 16));
  if (!/^[12]\d{3}-\d{2}-\d{2}$/.test(day)) return null;
  const time = Date.parse(day);
  return !Number.isNaN(time) && new Date(time).toISOString().startsWith(day) ? day : null;
}

/** Writes an operator so that it is read as this value. A quote has no place in it; names are compared without. */
export function searchOperator(name: SearchOperator, value: string): string {
  const plain = value.replaceAll(quotes, '"').replaceAll('"', '');
  return /\s/.test(plain) ? `${name}:"${plain}"` : `${name}:${plain}`;
}
