import { describe, expect, test } from '@jest/globals';
import { areaOf, commentLines, countSlices, packageOf, percentile } from './house.mjs';

test.each([
  ['services/chat/src/answers/titles/title.ts', 'chat/answers'],
  ['services/org/src/audit/index.ts', 'org'],
  ['packages/platform/src/rows/mongo/work.ts', 'platform'],
  ['frontend/src/features/billing/billing-page.tsx', 'frontend/features'],
  ['bff/src/main.ts', 'bff'],
  ['docs/architecture.md', null],
])('%s lies in %s', (file, area) => expect(areaOf(file)).toBe(area));

test.each([
  ['react-dom/client', 'react-dom'],
  ['@mantine/core', '@mantine/core'],
  ['@parley/contracts', null],
  ['node:fs', null],
  ['../index.ts', null],
])('%s is the package %s', (specifier, name) => expect(packageOf(specifier)).toBe(name));

test('comments are lines that are nothing else', () => {
  expect(commentLines('/** One. */\nconst a = 1; // beside\n/*\n * Two.\n */\n// Three.\nconst b = 2;\n')).toBe(5);
});

test('of sorted lengths nine tenths are below the ninetieth percentile', () => {
  expect(percentile([1, 2, 3, 4, 5, 6, 7, 8, 9, 10], 90)).toBe(10);
  expect([percentile([7], 50), percentile([7], 100), percentile([], 50)]).toEqual([7, 7, 0]);
});

describe('the files of a slice', () => {
  const commit = (slice: string, ...lines: string[]) => `\0${slice}\n\n${lines.join('\n')}\n`;

  test('are made or touched, each once, and a made one stays made', () => {
    const log = [
      commit('prompts', 'A\ta.ts', 'M\tb.ts'),
      commit('prompts', 'M\ta.ts', 'M\tb.ts', 'R090\told.ts\tnew.ts'),
      commit('files', 'A\tc.ts', 'D\tb.ts'),
    ].join('');
    expect(countSlices(log)).toEqual(
      new Map([
        ['prompts', { made: 1, touched: 2 }],
        ['files', { made: 1, touched: 1 }],
      ]),
    );
  });

  test('without a slice there are none', () => expect(countSlices('')).toEqual(new Map()));
});
