import { z } from 'zod';
import { cleanId } from './cleaning.ts';

/** Readers of fields that never fail: what is not what it should be is missing. */
const given = z.unknown().optional();

const asText = (value: unknown): string | null => {
  if (typeof value === 'string') return value;
  return typeof value === 'number' && Number.isFinite(value) ? String(value) : null;
};
/** A text, also where it is a number. */
export const text = given.transform(asText);
export const id = given.transform((value) => {
  const found = asText(value);
  return found === null || found === '' ? null : cleanId(found);
});
export const flag = given.transform((value) => value === true || value === 1 || value === 'true');

const latest = Date.UTC(2100, 0);
const earliest = Date.UTC(2000, 0);
/** Seconds, or milli-, micro- and nanoseconds by their size. */
function ofNumber(value: number): Date | null {
  if (!Number.isFinite(value) || value <= 0) return null;
  let ms = value < 1e11 ? value * 1000 : value;
  while (ms > 1e14) ms /= 1000;
  return ms >= earliest && ms < latest ? new Date(Math.round(ms)) : null;
}
export function timeFrom(value: unknown): Date | null {
  if (typeof value === 'number') return ofNumber(value);
  if (typeof value !== 'string' || value.length > 40) return null;
  if (/^\d+(?:\.\d+)?$/.test(value)) return ofNumber(Number(value));
  // A time without a date, as LibreChat writes it, is none.
  const isLocal = /T[\d:.]+$/.test(value);
  const ms = /^\d{4}-\d{2}-\d{2}/.test(value) ? Date.parse(isLocal ? `${value}Z` : value) : Number.NaN;
  return ms >= earliest && ms < latest ? new Date(ms) : null;
}
/** Between 2000 and 2100. */
export const time = given.transform(timeFrom);

/** The objects among the values of a list; empty if it is none. */
export const listOf = <Item extends z.ZodType>(item: Item) =>
  given.transform((value): z.infer<Item>[] => {
    if (!Array.isArray(value)) return [];
    return value.flatMap((each: unknown) => {
      const read = item.safeParse(each);
      return read.success ? [read.data] : [];
    });
  });
export const texts = listOf(z.string());
/** Not read yet: what is in it is read by turns. */
export const unread = given;
export const listIn = (value: unknown): readonly unknown[] => (Array.isArray(value) ? value : []);
export const entriesIn = (value: unknown): [key: string, value: unknown][] =>
  typeof value === 'object' && value !== null && !Array.isArray(value) ? Object.entries(value) : [];

/** An object of these fields, or null. */
export const objectOf = <Shape extends z.ZodRawShape>(shape: Shape) => z.object(shape).nullable().catch(null);
