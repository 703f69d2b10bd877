import { describe, expect, test } from '@jest/globals';
import { wantedWords } from '@parley/platform/text';
import { answerSnippetOf, snippetOf } from './search-hit.ts';

const find = (text: string, query: string) => snippetOf(text, wantedWords(query)!);

describe('snippets of questions', () => {
  test('marks each wanted word, whatever its accents and case', () => {
    const { snippet, ranges } = find('The Café is near the cafe.', 'cafe');
    expect(ranges.map(([start, end]) => snippet.slice(start, end))).toEqual(['Café', 'cafe']);
  });
  test('marks words that begin like the last wanted word', () => {
    const { snippet, ranges } = find('Herons and a heron here.', 'a hero');
    expect(ranges.map(([start, end]) => snippet.slice(start, end))).toEqual(['Herons', 'a', 'heron']);
  });
  test('starts the snippet near a match far inside', () => {
    const { snippet, ranges } = find(`${'filler words here '.repeat(30)}needle in it`, 'needle');
    expect(snippet.startsWith('… ')).toBe(true);
    expect(ranges.map(([start, end]) => snippet.slice(start, end))).toEqual(['needle']);
  });
  test('marks nothing if nothing matches', () =>
    expect(find('plain text', 'absent')).toEqual({ snippet: 'plain text', ranges: [] }));
});

describe('snippets of answers', () => {
  const inAnswer = (markdown: string, query: string) => {
    const { snippet, ranges } = answerSnippetOf(markdown, wantedWords(query)!);
    return [snippet, ranges.map(([start, end]) => snippet.slice(start, end))];
  };
  test.each([
    ['**Unused** days carry over until `March`. [1]', 'march', 'Unused days carry over until March.', ['March']],
    ['# Leave\n\n- one *day*\n- [x] two [days](https://a.example/b)', 'two', '… one day two days', ['two']],
    ['See [the plan](https://a.example/otter).', 'otter', 'See the plan.', []],
    ['| Client | What |\n|---|---:|\n| 5.2 | *Fails* |', 'fails', 'Client · What 5.2 · Fails', ['Fails']],
    ['Run:\n```sh\nls **/*.md # notes\n```', 'notes', 'Run: ls **/*.md # notes', ['notes']],
    ['<b>Bold</b> and ![a cat](cat.png) <br> end', 'end', 'Bold and a cat end', ['end']],
    ['> a \\*star\\*, 2 \\> 1  \nnext', 'star', 'a *star*, 2 > 1 next', ['star']],
  ])('shows %j without Markdown syntax', (markdown, query, snippet, marked) => {
    expect(inAnswer(markdown, query)).toEqual([snippet, marked]);
  });
  test('begins near a match far inside a long answer, and reports more text on both sides', () => {
    const long = `${'some *words* come first, '.repeat(200)}a **needle** is here${', and more follows'.repeat(100)}`;
    const [snippet, marked] = inAnswer(long, 'needle');
    expect(snippet).toMatch(/^… .{20,60} a needle is here, and .* …$/);
    expect([snippet!.includes('*'), marked]).toEqual([false, ['needle']]);
  });
});
