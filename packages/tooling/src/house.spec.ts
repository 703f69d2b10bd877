import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import { mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { areaOf, commentLines, countRooms, pageOf, percentile, refreshPage } from './house.mjs';

test.each([
  ['services/chat/src/answers/titles/title.ts', 'chat/answers'],
  ['services/org/src/audit/index.ts', 'org'],
  ['packages/platform/src/rows/mongo/work.ts', 'platform'],
  ['frontend/src/features/billing/billing-page.tsx', 'frontend/features'],
  ['bff/src/main.ts', 'bff'],
  ['docs/explanation/architecture.md', null],
])('%s lies in %s', (file, area) => expect(areaOf(file)).toBe(area));

const module = (source: string, ...imports: string[]) => ({
  source,
  dependencies: imports.map((resolved) => ({ resolved })),
});

describe('the rooms of a folder', () => {
  test('are its folders and files, with an arrow for each pair and a floor above what they import', () => {
    const modules = [
      module('a/page.ts', 'a/list/one.ts', 'a/state/one.ts', 'b/other.ts'),
      module('a/list/one.ts', 'a/list/two.ts', 'a/state/one.ts'),
      module('a/list/two.ts', 'a/state/one.ts'),
      module('a/state/one.ts'),
      module('b/other.ts', 'a/page.ts'),
    ];
    expect(countRooms(modules, 'a')).toEqual({ rooms: 3, floors: 3, arrows: 3, inCircles: 0 });
  });

  test('share a floor if they import each other, and the arrows between them count as in circles', () => {
    const modules = [
      module('a/top/one.ts', 'a/left/one.ts'),
      module('a/left/one.ts', 'a/right/one.ts'),
      module('a/right/one.ts', 'a/left/two.ts'),
      module('a/left/two.ts', 'a/base/one.ts'),
      module('a/base/one.ts'),
    ];
    expect(countRooms(modules, 'a')).toEqual({ rooms: 4, floors: 3, arrows: 4, inCircles: 2 });
  });

  test('are counted without tests and their helpers', () => {
    const modules = [
      module('a/src/one.ts'),
      module('a/src/one.spec.ts', 'a/src/two/two.ts'),
      module('a/src/testing/setup.ts', 'a/src/one.ts'),
    ];
    expect(countRooms(modules, 'a/src')).toEqual({ rooms: 1, floors: 1, arrows: 0, inCircles: 0 });
  });

  test("don't exist in an empty folder", () => {
    expect(countRooms([], 'a')).toEqual({ rooms: 0, floors: 0, arrows: 0, inCircles: 0 });
  });
});

describe('the page of the house', () => {
  const modules = [
    module('packages/platform/src/a.ts', 'packages/contracts/src/b.ts'),
    module('services/org/src/c.ts'),
  ];
  let home: string;
  const read = () => readFileSync(join(home, 'docs/reference/house.md'), 'utf8');
  beforeAll(() => {
    home = mkdtempSync(join(tmpdir(), 'parley-house-'));
    mkdirSync(join(home, 'docs/reference'), { recursive: true });
  });
  afterAll(() => rmSync(home, { recursive: true }));

  test('is stale after an import that it does not count, and is rewritten', () => {
    refreshPage(modules.slice(1), home);
    expect(refreshPage(modules, home)).toBe(true);
    expect(read()).toContain('| platform | contracts |');
    expect(refreshPage(modules, home)).toBe(false);
  });

  test('is stale after somebody edited it by hand, and is rewritten', () => {
    writeFileSync(join(home, 'docs/reference/house.md'), `${pageOf(modules)}By hand.\n`);
    expect(refreshPage(modules, home)).toBe(true);
    expect(read()).not.toContain('By hand.');
  });
});

test('comments are lines that are nothing else', () => {
  expect(commentLines('/** One. */\nconst a = 1; // beside\n/*\n * Two.\n */\n// Three.\nconst b = 2;\n')).toBe(5);
});

test('of sorted lengths nine tenths are below the ninetieth percentile', () => {
  expect(percentile([1, 2, 3, 4, 5, 6, 7, 8, 9, 10], 90)).toBe(10);
  expect([percentile([7], 50), percentile([7], 100), percentile([], 50)]).toEqual([7, 7, 0]);
});
