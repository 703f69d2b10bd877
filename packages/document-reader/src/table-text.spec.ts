import { describe, expect, test } from '@jest/globals';
import { sizes } from './passage-sizes.spec-setup.ts';
import { splitHtml } from './split-html.ts';
import { packBlocks, splitMarkdown } from './split-passages.ts';

const page = (body: string) => splitHtml(`<!doctype html><body>${body}</body>`);

describe('a table', () => {
  test('of a page is one of Markdown, its caption above it', () => {
    const rows =
      '<tr><th>Zone</th><th>Price</th></tr><tr><td>B</td><td>18&nbsp;<b>euros</b><br>a month</td></tr><tr><td>C|D</td></tr>';
    expect(page(`<h2>Parking</h2><table><caption>Since May</caption>${rows}</table><p>Ask.</p>`)).toEqual([
      { titles: ['Parking'], text: 'Since May' },
      { titles: ['Parking'], text: '| Zone | Price |\n| --- | --- |\n| B | 18 euros a month |\n| C\\|D |  |' },
      { titles: ['Parking'], text: 'Ask.' },
    ]);
  });

  test('that a page is laid out by is none', () => {
    expect(page('<table><tr><td><h1>News</h1><p>All is well.</p></td></tr></table>')).toEqual([
      { titles: ['News'], text: 'All is well.' },
    ]);
  });

  test('that is long is cut between rows, its head above each part', () => {
    const rows = Array.from({ length: 60 }, (_, at) => `| item ${at} | ${at} euros and some more words about it |`);
    const source = ['# Prices', '', '| Item | Price |', '| --- | --- |', ...rows].join('\n');
    const passages = packBlocks(splitMarkdown(source), sizes);
    expect(passages.length).toBeGreaterThan(2);
    for (const { text } of passages) {
      expect(text.startsWith('| Item | Price |\n| --- | --- |\n| item')).toBe(true);
      expect(text.length).toBeLessThanOrEqual(900);
    }
    const kept = passages.flatMap(({ text }) => text.split('\n').slice(2));
    expect(kept).toEqual(rows);
  });

  test('of one endless row ends', () => {
    const source = `| a | b |\n| --- | --- |\n| ${'word '.repeat(5_000)} | x |`;
    const passages = packBlocks(splitMarkdown(source), sizes);
    expect(Math.max(...passages.map(({ text }) => text.length))).toBeLessThanOrEqual(3_600);
    expect(passages.length).toBeGreaterThan(5);
  });
});
