import { expect, test } from '@jest/globals';
import { errorGroup, mostCountedPeople, type ErrorReport } from '@parley/contracts';
import type { UserId } from '@parley/protocol';
import { newId } from '@parley/platform/ids';
import { groupIdOf, toGroup, withReport } from './error-group.ts';
import { aReport, ownFrame } from './error-report.spec-setup.ts';

const start = new Date('2026-11-21T10:05:00.000Z');
const after = (hours: number) => new Date(start.getTime() + hours * 3_600_000);
const grouped = (reports: readonly ErrorReport[], at: readonly Date[] = []) =>
  reports.reduce<ReturnType<typeof withReport> | null>((group, report, index) => {
    return withReport(group, report, at[index] ?? start);
  }, null)!;

test('reports are alike by who failed, class, code and the place in our program', () => {
  const id = groupIdOf(aReport());
  const moved = aReport({
    errors: [{ type: 'TypeError', code: null, frames: [{ ...ownFrame, line: 99, column: 9 }] }],
  });
  expect(groupIdOf(moved)).toBe(id);
  const others = [
    aReport({ deployable: 'org' }),
    aReport({ errors: [{ type: 'RangeError', code: null, frames: [ownFrame] }] }),
    aReport({ errors: [{ type: 'TypeError', code: 'ECONNRESET', frames: [ownFrame] }] }),
    aReport({ errors: [{ type: 'TypeError', code: null, frames: [{ ...ownFrame, function: 'other' }] }] }),
    aReport({ consumer: 'count-metrics' }),
    aReport({ errorTestId: newId('errorTest') }),
  ].map(groupIdOf);
  expect(new Set([id, ...others]).size).toBe(others.length + 1);
});

test('a page is known in the next version, whose bundle has other names', () => {
  const ofBundle = (file: string, name: string) =>
    groupIdOf(
      aReport({
        deployable: 'browser',
        errors: [{ type: 'TypeError', code: null, frames: [{ ...ownFrame, file, function: name }] }],
      }),
    );
  expect(ofBundle('assets/chat-9f2cAbCd.js', 'ab')).toBe(ofBundle('assets/chat-Zz_1-xYw.js', 'q'));
  expect(ofBundle('assets/chat-9f2cAbCd.js', 'ab')).not.toBe(ofBundle('assets/billing-9f2cAbCd.js', 'ab'));
});

test('counts by hour, people once each, versions', () => {
  const [ada, ben] = [newId('user'), newId('user')];
  const group = grouped(
    [
      aReport({ userId: ada }),
      aReport({ userId: ada, release: 'parley@0.2.0' }),
      aReport({ userId: ben, release: 'parley@0.2.0' }),
      aReport({ userId: null, release: 'parley@0.2.0' }),
    ],
    [start, start, after(3), after(30)],
  );
  const shown = errorGroup.parse(toGroup(group, after(30)));
  expect(shown).toMatchObject({ count: 4, people: 2, releases: ['parley@0.1.0', 'parley@0.2.0'] });
  expect(shown.hours.reduce((sum, one) => sum + one, 0)).toBe(1);
  expect(shown.hours.at(-1)).toBe(1);
  expect(toGroup(grouped([aReport(), aReport()], [start, after(3)]), after(3)).hours.slice(-4)).toEqual([1, 0, 0, 1]);
  expect(JSON.stringify(group)).not.toContain(ada);
});

test('people are bounded, and their marks are others in each group', () => {
  const many = Array.from({ length: mostCountedPeople + 50 }, () => aReport({ userId: newId('user') }));
  expect(grouped(many).people).toHaveLength(mostCountedPeople);
  const one: Partial<ErrorReport> = { userId: newId('user') as UserId };
  expect(grouped([aReport(one)]).people).not.toEqual(grouped([aReport({ ...one, deployable: 'org' })]).people);
});

test('is new for a day, then known; resolved until it happens again', () => {
  const group = grouped([aReport()]);
  expect([toGroup(group, after(23)).state, toGroup(group, after(25)).state]).toEqual(['new', 'known']);
  const resolved = { ...group, isResolved: true, resolved: { at: start, by: 'Ines Vardale' } };
  expect(toGroup(resolved, after(1)).state).toBe('resolved');
  const again = withReport(resolved, aReport(), after(2));
  expect(toGroup(again, after(2))).toMatchObject({ state: 'back', resolved: null, count: 2 });
});
