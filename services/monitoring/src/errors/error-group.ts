import {
  mostCountedPeople,
  type ErrorFrame,
  type ErrorGroup,
  type ErrorReport,
  type ErrorState,
} from '@parley/contracts';
import { searchKeys } from '@parley/platform/text';
import { createHash } from 'node:crypto';
import type { ErrorGroupRow } from './error.collection.ts';

const hourMs = 3_600_000;
const hoursShown = 24;
const newForMs = hoursShown * hourMs;
const mostReleases = 10;
const hourOf = (at: Date): number => Math.floor(at.getTime() / hourMs);
const hashed = (...parts: readonly unknown[]): string =>
  createHash('sha256').update(JSON.stringify(parts)).digest('hex');

/** The latest call of our own program, in the error or the first of its causes that has one. */
const placeOf = ({ errors }: ErrorReport): ErrorFrame | null =>
  errors.flatMap(({ frames }) => frames).find(({ isOwn }) => isOwn) ?? null;

/**
 * Which group a report belongs to: who failed, class, code and place. Lines change with each version, and so do the
 * names of a bundle's functions and the end of its file's name: they are no part of it.
 */
export function groupIdOf(report: ErrorReport): string {
  const [error] = report.errors;
  const place = placeOf(report);
  const where =
    report.deployable === 'browser'
      ? [place?.file.replace(/-[\w-]{8}\.js$/, '.js')]
      : [place?.file, place?.function, report.consumer];
  return hashed(report.deployable, report.errorTestId !== null, error?.type, error?.code, ...where).slice(0, 24);
}

/** The group with one more report. */
export function withReport(group: ErrorGroupRow | null, report: ErrorReport, now: Date): ErrorGroupRow {
  const _id = groupIdOf(report);
  const before = group ?? newGroup(_id, report, now);
  const hour = hourOf(now);
  const hours = before.hours.filter((one) => one.hour > hour - hoursShown);
  const last = hours.at(-1);
  const isSameHour = last !== undefined && last.hour >= hour;
  return {
    ...before,
    isBack: before.isBack || before.isResolved,
    isResolved: false,
    resolved: null,
    count: before.count + 1,
    hours: isSameHour
      ? [...hours.slice(0, -1), { hour: last.hour, count: last.count + 1 }]
      : [...hours, { hour, count: 1 }],
    people: withOne(before.people, markOf(_id, report), { most: mostCountedPeople, keeps: 'first' }),
    releases: withOne(before.releases, report.release, { most: mostReleases, keeps: 'last' }),
    lastAt: now > before.lastAt ? now : before.lastAt,
  };
}

function newGroup(_id: string, report: ErrorReport, now: Date): ErrorGroupRow {
  const { deployable, errors } = report;
  const place = placeOf(report);
  const { type = 'Error', code = null } = errors[0] ?? {};
  const words = [type, code, place?.function, place?.file].filter((word) => typeof word === 'string');
  return {
    _id,
    deployable,
    type,
    code,
    place: place && { function: place.function, file: place.file, line: place.line },
    isTest: report.errorTestId !== null,
    isResolved: false,
    resolved: null,
    isBack: false,
    count: 0,
    hours: [],
    people: [],
    releases: [],
    firstAt: now,
    lastAt: now,
    words: [...new Set(words.flatMap((word) => [word.toLowerCase(), ...searchKeys(word)]))],
  };
}

const markOf = (groupId: string, { userId }: ErrorReport): string | null =>
  userId && hashed(groupId, userId).slice(0, 16);

/** Of those who come first, or of those who came last, so many are kept. */
function withOne(
  known: readonly string[],
  one: string | null,
  { most, keeps }: { readonly most: number; readonly keeps: 'first' | 'last' },
): string[] {
  if (one === null || known.includes(one)) return [...known];
  const all = [...known, one];
  return keeps === 'first' ? all.slice(0, most) : all.slice(-most);
}

function stateOf({ isResolved, isBack, firstAt }: Readable, now: Date): ErrorState {
  if (isResolved) return 'resolved';
  if (isBack) return 'back';
  return now.getTime() - firstAt.getTime() < newForMs ? 'new' : 'known';
}

type Readable = Omit<ErrorGroupRow, 'words'>;

/** Of each of the last 24 hours. */
export function hoursOf({ hours }: Pick<Readable, 'hours'>, now: Date): number[] {
  const first = hourOf(now) - hoursShown + 1;
  return Array.from({ length: hoursShown }, (_, at) => hours.find(({ hour }) => hour === first + at)?.count ?? 0);
}

export function toGroup(row: Readable, now: Date): ErrorGroup {
  const { deployable, type, code, place, isTest, count, releases, resolved } = row;
  return {
    id: row._id,
    deployable,
    type,
    code,
    place,
    isTest,
    count,
    releases,
    state: stateOf(row, now),
    hours: hoursOf(row, now),
    people: row.people.length,
    firstAt: row.firstAt.toISOString(),
    lastAt: row.lastAt.toISOString(),
    resolved: resolved && { at: resolved.at.toISOString(), by: resolved.by },
  };
}
