import { fewestShown, type listPeople } from '@parley/contracts';
import { Problem, type QueryOf } from '@parley/protocol';
import { z } from 'zod';
import { nothingUsed, usedFields, type ActiveDayRow, type Used } from './active-day.collection.ts';
import { monthOf } from './pseudonym.ts';

type Query = QueryOf<typeof listPeople>;
type DayRow = Pick<ActiveDayRow, 'day' | 'pseudonym' | keyof Used>;

/** Under one pseudonym, so in one month. */
export type Person = Used & { readonly id: string; readonly month: string; readonly lastDay: string };
export type People = {
  /** Those who stand apart: of months in which enough people were active. */
  readonly shown: readonly Person[];
  /** The newest first; null where they are too few. */
  readonly months: readonly { readonly month: string; readonly people: number | null }[];
  /** Of everybody. */
  readonly total: Used;
};

export const sumOfUse = (rows: readonly Used[]): Used =>
  rows.reduce<Used>(
    (sum, row) => Object.fromEntries(usedFields.map((field) => [field, sum[field] + row[field]])) as Used,
    nothingUsed,
  );

/**
 * People by what they used. Where fewer than 5 were active in a month nobody of it stands apart: what is left of the
 * totals is theirs together. No filter comes before this.
 */
export function peopleOf(rows: readonly DayRow[]): People {
  const people = [...Map.groupBy(rows, ({ pseudonym }) => pseudonym)].map(([id, own]): Person => {
    const lastDay = own.reduce((latest, { day }) => (day > latest ? day : latest), '');
    return { id, month: monthOf(lastDay), lastDay, ...sumOfUse(own) };
  });
  const months = [...Map.groupBy(people, ({ month }) => month)].toSorted(([one], [other]) => (one < other ? 1 : -1));
  const isEnough = (own: readonly Person[]): boolean => own.length >= fewestShown;
  return {
    shown: months.flatMap(([, own]) => (isEnough(own) ? own : [])),
    months: months.map(([month, own]) => ({ month, people: isEnough(own) ? own.length : null })),
    total: sumOfUse(rows),
  };
}

const sortValues: { readonly [Sort in Query['sort']]: (person: Person) => number } = {
  cost: ({ costMicros }) => costMicros,
  answers: ({ attempts }) => attempts,
  tokens: ({ inputTokens, outputTokens }) => inputTokens + outputTokens,
  seen: ({ lastDay }) => Date.parse(lastDay),
};
const place = z.tuple([z.string(), z.number(), z.string()]);

/** One page, the most first. A cursor is of one order, and holds where the last page ended. */
export function pageOfPeople<Item extends Person>(
  people: readonly Item[],
  { sort, limit, cursor }: Pick<Query, 'sort' | 'limit' | 'cursor'>,
): { readonly items: Item[]; readonly nextCursor: string | null } {
  const valueOf = sortValues[sort];
  const isBefore = (value: number, id: string, other: Item): boolean =>
    value > valueOf(other) || (value === valueOf(other) && id < other.id);
  const ordered = people.toSorted((one, other) => (isBefore(valueOf(one), one.id, other) ? -1 : 1));
  const after = cursor === undefined ? null : readPlace(cursor, sort);
  const left = after ? ordered.filter((one) => isBefore(after.value, after.id, one)) : ordered;
  const items = left.slice(0, limit);
  const last = items.at(-1);
  const hasMore = left.length > items.length && last !== undefined;
  return { items, nextCursor: hasMore ? writePlace([sort, valueOf(last), last.id]) : null };
}

const writePlace = (values: z.input<typeof place>): string => Buffer.from(JSON.stringify(values)).toString('base64url');

function readPlace(cursor: string, sort: string): { readonly value: number; readonly id: string } {
  const read = place.safeParse(parsed(cursor));
  if (!read.success || read.data[0] !== sort)
    throw new Problem('platform.invalid-request', {
      errors: [{ path: 'query.cursor', message: 'not a cursor of this list' }],
    });
  const [, value, id] = read.data;
  return { value, id };
}

function parsed(cursor: string): unknown {
  try {
    return JSON.parse(Buffer.from(cursor, 'base64url').toString());
  } catch {
    return null;
  }
}
