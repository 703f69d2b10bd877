import { afterAll, describe, expect, test } from '@jest/globals';
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { checkTimers, findTimers, keptTimers, timersIn, unstarted } from './timers.mjs';

const folders: string[] = [];
afterAll(() => folders.forEach((folder) => rmSync(folder, { recursive: true })));

const restarting = ['a setTimeout that starts itself again'];

describe('a timer that looks again', () => {
  test.each([
    ['an interval', 'setInterval(() => look(), 1_000);', ['setInterval']],
    ['an interval by another name', "import { setInterval as each } from 'node:timers/promises';", ['setInterval']],
    ['a function that sets a timer for itself', 'function look() {\n  setTimeout(look, 1_000);\n}', restarting],
    [
      'a method that sets a timer for itself',
      'class A {\n  look() {\n    this.timer = setTimeout(() => void this.look(), 1_000).unref();\n  }\n}',
      restarting,
    ],
    [
      'a method that another one leads back to',
      'class A {\n  wait() {\n    setTimeout(() => this.run(), 1_000);\n  }\n  run = async () => {\n    await work();\n    this.wait();\n  };\n}',
      restarting,
    ],
  ])('is found: %s', (_what, text, found) => expect(timersIn(text)).toEqual(found));

  test.each([
    ['the end of a wait', 'const wait = (ms: number) => new Promise((resolve) => setTimeout(resolve, ms));'],
    ['the deadline of a call', 'async function ask() {\n  const timer = setTimeout(() => late.resolve(null), 5);\n}'],
    [
      'what is told soon, once',
      'class A {\n  change() {\n    this.soon ??= setTimeout(() => this.tell(), 5);\n  }\n  tell() {\n    this.soon = null;\n  }\n}',
    ],
  ])('is not: %s', (_what, text) => expect(timersIn(text)).toEqual([]));
});

test('finds what every() returned and nobody starts', () => {
  const text = [
    "readonly upkeep = every('a', 1, () => this.a());",
    "private readonly b = every('b', 1, () => this.b());",
    "private readonly c: Upkeep = every('c', 1, () => this.c());",
    'this.b.start(logger);',
  ].join('\n');
  expect(unstarted(text)).toEqual(['c']);
  expect(unstarted("const upkeep = every('a', 1, look);")).toEqual(['upkeep']);
});

test('an exception excuses its file, and one that excuses nothing is found', () => {
  const kept = [{ file: 'bff/src/a.ts', why: 'a test' }];
  expect(findTimers([['bff/src/a.ts', 'setInterval(look, 1);']], kept)).toEqual([]);
  expect(findTimers([['bff/src/a.ts', '']], kept)).toEqual(['bff/src/a.ts: an exception without a use']);
});

test('lint finds a timer in services, the BFF and the platform, and none in tests or elsewhere', () => {
  const home = mkdtempSync(join(tmpdir(), 'parley-timers-'));
  folders.push(home);
  const [red, green] = [
    ['services/org/src/a/a.ts', 'bff/src/a.ts', 'packages/platform/src/ports/a.ts'],
    ['services/org/src/a/a.spec.ts', 'bff/src/a.spec-setup.ts', 'cli/src/a.ts', 'packages/platform/src/ports/b.ts'],
  ];
  for (const file of [...red, ...green]) {
    mkdirSync(dirname(join(home, file)), { recursive: true });
    writeFileSync(join(home, file), file.endsWith('b.ts') ? "every('a', 1, look);\n" : 'setInterval(look, 1);\n');
  }
  const found = checkTimers(home).filter((line) => !line.endsWith('without a use'));
  expect(new Set(found.map((line) => line.split(':')[0]))).toEqual(new Set(red));
});

test('each exception says why', () => {
  expect(keptTimers.map(({ why }) => why)).not.toContain('');
});
