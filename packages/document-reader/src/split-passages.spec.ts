import { describe, expect, test } from '@jest/globals';
import { sizes } from './passage-sizes.spec-setup.ts';
import { splitHtml } from './split-html.ts';
import { headingOf, packBlocks, splitMarkdown } from './split-passages.ts';

const words = (count: number) => Array.from({ length: count }, (_, at) => `word${at}`).join(' ');
const lengths = (blocks: readonly { heading: string | null }[]) => blocks.map(({ heading }) => heading?.length ?? 0);

describe('a heading of 9,000 words', () => {
  test.each([
    ['Markdown', splitMarkdown(`# ${words(9_000)}\n\nOne.\n\n## ${words(9_000)}\n\nTwo.`)],
    ['HTML', splitHtml(`<h1>${words(9_000)}</h1><p>One.</p><h2>${words(9_000)}</h2><p>Two.</p>`)],
  ])('stands cut above each passage of %s, as long as a heading can be', (_name, blocks) => {
    const passages = packBlocks(blocks, sizes);
    expect(passages.map(({ text }) => text).join(' ')).toMatch(/One\.\s+Two\./);
    expect(Math.max(...lengths(passages))).toBe(sizes.heading);
  });
});

test('a passage holds text of one heading only, and a long paragraph keeps its end', () => {
  const blocks = splitMarkdown(
    `# One\n\nFirst.\n\n# Two\n\nSecond. ${'A sentence of some words. '.repeat(60)}The end.`,
  );
  const passages = packBlocks(blocks, sizes);
  expect(passages[0]).toEqual({ heading: 'One', text: 'First.' });
  expect(passages.at(-1)).toMatchObject({ heading: 'Two', text: expect.stringMatching(/The end\.$/) });
});

test('keeps headings of Markdown without text below them', () => {
  expect(splitMarkdown('# Pumps\n\n## Lubrication\n## Seals\n\nMonthly.\n\n# Boilers\n\n# Fans')).toEqual([
    { titles: ['Pumps'], text: 'Lubrication' },
    { titles: ['Pumps', 'Seals'], text: 'Monthly.' },
    { titles: [], text: 'Boilers' },
    { titles: [], text: 'Fans' },
  ]);
});

test('a heading is not cut in the middle of a sign', () => {
  expect(headingOf([`${'a'.repeat(9)}𝒳`], 10)).toBe('a'.repeat(9));
});
