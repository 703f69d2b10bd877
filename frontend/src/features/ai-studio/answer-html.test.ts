import { expect, it } from '@jest/globals';
import { htmlOf } from './answer-html.ts';

it('draws the shape of an answer, and raises what refers to a source', () => {
  expect(htmlOf('This is *it*:\n\n> 28 days. [1] [7]', new Set([1])).replaceAll('\n', '')).toBe(
    '<p>This is <em>it</em>:</p><blockquote><p>28 days. <sup>1</sup> [7]</p></blockquote>',
  );
});

it('lets nothing through that loads, links or listens', () => {
  const html = htmlOf(
    '<img src=x onerror=alert(1)> [a](https://e.example) <p style="x" onclick="y">b</p><script>c</script>',
    new Set(),
  );
  expect(html).not.toMatch(/img|script|href|onclick|style|https/);
  expect(html).toContain('b');
});
