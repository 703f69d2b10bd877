import { expect, test } from '@jest/globals';
import { globSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { declaredJobs, fairnessTable, jobsPart, keptFairnessTable, keptJobsPart } from './declared-jobs.spec-setup.ts';

const home = join(import.meta.dirname, '..');
const read = (file: string): string => readFileSync(join(home, file), 'utf8');
const find = (pattern: string): string[] => globSync(pattern, { cwd: home }).toSorted();
const services = find('services/*');
const listed = /^export const (\w+): (?:DataMigration|QuotaSource|CountedQuota) =/gm;
const snapshots = /^export (?:async )?function (\w+)\([^)]*\bRecordSnapshot\b/gm;

const namesIn = (files: readonly string[], pattern: RegExp): string[] =>
  files.flatMap((file) => [...read(file).matchAll(pattern)].map(([, name]) => name!));
/** Returns the names that the file doesn't use: an import is one mention, a use another. */
function unusedIn(file: string, names: readonly string[]): string[] {
  const words = read(file).match(/\w+/g) ?? [];
  return names.filter((name) => words.filter((word) => word === name).length < 2);
}

test.each(services)('%s lists each of its data migrations, quotas and snapshots', (service) => {
  const files = find(`${service}/src/**/*.ts`).filter((file) => !file.includes('.spec'));
  const names = [...namesIn(files, listed), ...namesIn(files, snapshots)];
  expect(names).not.toEqual([]);
  expect(unusedIn(`${service}/src/service.ts`, names)).toEqual([]);
});

test.each(services)('%s says which class runs each of its kinds of jobs', async (service) => {
  const files = find(`${service}/src/**/*.ts`).filter((file) => !file.includes('.spec'));
  const run = namesIn(files, /\brunBy\(\s*(\w+),/g);
  // A job that nobody runs would wait for ever, without a word.
  const declared = (await declaredJobs(service)).map(({ name }) => name);
  expect(declared.toSorted()).toEqual(run.toSorted());
});

test('docs/reference/limits.md lists the slots of each kind of jobs; otherwise: npm run docs:limits', async () => {
  expect(keptJobsPart()).toBe(await jobsPart());
});

test('the page about fairness says what contracts and jobs declare; otherwise: npm run docs:limits', async () => {
  expect(keptFairnessTable()).toBe(await fairnessTable());
});

test('each service with a file of snapshots declares them in it', () => {
  const files = find('services/*/src/**/*.snapshots.ts');
  expect(files.filter((file) => namesIn([file], snapshots).length === 0)).toEqual([]);
  expect(files.length).toBeGreaterThanOrEqual(3);
});

test('the search lists the tabs of each page that has some', () => {
  const files = find('frontend/src/features/*/*-tabs.ts');
  const names = namesIn(files, /^export const (\w+Tabs)\b/gm);
  expect(names).toHaveLength(files.length);
  expect(unusedIn('frontend/src/app/shell/tab-entries.ts', names)).toEqual([]);
});

test('the sidebar shows each count of what waits', () => {
  const counts = namesIn(find('frontend/src/domain/*/waiting.ts'), /^export function (use\w+)/gm);
  expect(counts).not.toEqual([]);
  expect(unusedIn('frontend/src/app/shell/sidebar.tsx', counts)).toEqual([]);
});
