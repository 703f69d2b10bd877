import { z } from 'zod';

/**
 * Maps each operator to its values. The names before the colon are the same in every language; operators with fixed
 * values list them.
 */
export const searchOperators = {
  in: null,
  from: ['me', 'chatbot'],
  has: ['file', 'image'],
  before: null,
  after: null,
} as const;
export type SearchOperator = keyof typeof searchOperators;

/** Limits the operators of a search. Further operators are ignored. */
export const mostSearchOperators = 10;

/** Names an ignored operator and the reason. The rest of the search still runs. */
export const ignoredOperator = z.strictObject({
  /** The operator as the person typed it. */
  operator: z.string(),
  reason: z.enum([
    'missing-value',
    'unknown-value',
    'unknown-project',
    'impossible-date',
    /** No day matches both this date and the earlier `before:` or `after:`. */
    'no-days',
    /** An earlier operator of the same kind has another value. */
    'repeated',
    /** The search has more than `mostSearchOperators` before this operator. */
    'too-many',
  ]),
});
export type IgnoredOperator = z.infer<typeof ignoredOperator>;

/** Describes the messages that a search asks for. Days have no time zone yet. */
export type SearchQuery = {
  /** The text without operators. */
  readonly words: string;
  /** The name of the project whose chats are searched. */
  readonly in?: string;
  readonly from?: (typeof searchOperators.from)[number];
  readonly has: readonly (typeof searchOperators.has)[number][];
  /** Messages before this day. */
  readonly before?: string;
  /** Messages from this day on. */
  readonly after?: string;
  readonly ignored: readonly IgnoredOperator[];
};

type Read = Omit<SearchQuery, 'words' | 'ignored'>;

const quotes = /[“”„‟«»]/g;
/** Invisible direction marks, which come along when people copy text that runs from right to left. */
const directionMarks = /[\u061C\u200E\u200F\u202A-\u202E\u2066-\u2069]/g;
/** Matches an operator, a quoted text, or anything else up to the next space. An open quote ends with the text. */
const parts = /(?<name>in|from|has|before|after):(?:"(?<quoted>[^"]*)(?:"|$)|(?<plain>\S*))|"[^"]*"|\S+/gi;

/** Parses a search. The browser and the service use the same code. */
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
  if (earlier !== undefined && earlier !== known) return 'repeated';
  const next = { ...read, [name]: known };
  return next.before && next.after && next.before <= next.after ? 'no-days' : next;
}

const oneOf = (name: 'from' | 'has', value: string): string | null =>
  searchOperators[name].find((one) => one === value.toLowerCase()) ?? null;

/**
 * Returns the day in ASCII digits, because keyboards of some languages type their own; null for a date that doesn't
 * exist.
 */
function dayOf(value: string): string | null {
  const day = value.replaceAll(/[\u0660-\u0669\u06F0-\u06F9]/g, (digit) => String(digit.charCodeAt(0) % 16));
  if (!/^[12]\d{3}-\d{2}-\d{2}$/.test(day)) return null;
  const time = Date.parse(day);
  return !Number.isNaN(time) && new Date(time).toISOString().startsWith(day) ? day : null;
}

/**
 * Writes a search operator that `parseSearch` reads back as this value. Quotes in the value are left out; comparisons
 * of names ignore them too.
 */
export function searchOperator(name: SearchOperator, value: string): string {
  const plain = value.replaceAll(quotes, '"').replaceAll('"', '');
  return /\s/.test(plain) ? `${name}:"${plain}"` : `${name}:${plain}`;
}
