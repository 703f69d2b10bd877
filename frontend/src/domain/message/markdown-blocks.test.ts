import { describe, expect, it } from '@jest/globals';
import { markdownOptions } from '../../testing/markdown-options.ts';
import { colourCode } from './code-colours.ts';
import { MarkdownBlocks, type MarkdownOptions } from './markdown.ts';

const options: MarkdownOptions = { ...markdownOptions, colour: colourCode };
const dom = (html: string): HTMLElement => {
  const holder = document.createElement('div');
  holder.innerHTML = html;
  return holder;
};
const render = (text: string) => dom(new MarkdownBlocks(options).update(text, true).blocks.join(''));
const growing = (text: string) => dom(new MarkdownBlocks(options).update(text, false).blocks.join(''));
const directions = (content: HTMLElement, selector: string) =>
  [...content.querySelectorAll(selector)].map((element) => element.getAttribute('dir'));

describe('direction', () => {
  it('is each paragraph’s, item’s, heading’s and cell’s own', () => {
    const content = render('مرحبا\n\nHello\n\n# عنوان\n\n- واحد\n- two\n\n| أ | b |\n|---|---|\n| ج | d |\n');
    expect(directions(content, 'p, h1, li, th, td')).toEqual(Array(9).fill('auto'));
  });

  it('of what holds them follows the first word', () => {
    const content = render('- واحد\n- two\n\n1. one\n2. اثنان\n\n| أ | b |\n|---|---|\n\n> مرحبا\n');
    expect(directions(content, 'ul, ol, table, blockquote')).toEqual(['rtl', 'ltr', 'rtl', 'rtl']);
    expect(directions(render('- واحد\n\n  ثانية\n\n- two\n'), 'li')).toEqual(['rtl', 'ltr']);
  });

  it('of code is from left to right', () => {
    expect(directions(render('```\nمرحبا\n```'), '.md-code')).toEqual(['ltr']);
  });
});

describe('a citation', () => {
  const tied = (text: string) => [...render(text).querySelectorAll('.md-tied')].map((element) => element.textContent);
  it('is tied to the word before it, with its neighbours', () => {
    expect(tied('Replaced at 22:00. [1] So it is[1][1].')).toEqual(['22:00.\u00a01', 'is\u00a01\u00a01']);
  });

  it('is tied to the last word of what is marked', () => {
    const content = render('See **all of these quite long words here** [1] and `code` [1].');
    expect([...content.querySelectorAll('.md-tied')].map((element) => element.innerHTML)).toEqual([
      expect.stringMatching(/^<strong>here<\/strong>&nbsp;<button/),
      expect.stringMatching(/^<code>code<\/code>&nbsp;<button/),
    ]);
    expect(content.textContent?.trim()).toBe('See all of these quite long words here\u00a01 and code\u00a01.');
  });
});

describe('math', () => {
  it.each(['$a_1 * b_2 + c_1 * d_2$', '$$x_1 * y_1$$', '\\(a_1 * b_1 * c_1\\)', '$f(x)=\\{1\\}$', '$a<b>c$', '$x[1]$'])(
    '%s stays as it was typed, also within emphasis',
    (math) => {
      expect(render(`See ${math}.`).textContent?.trim()).toBe(`See ${math}.`);
      expect(render(`**See ${math}** and _this_`).querySelector('strong')?.textContent).toBe(`See ${math}`);
      expect(render(`- *a ${math} b*`).querySelector('em')?.textContent).toBe(`a ${math} b`);
    },
  );

  it('of several lines is no list and no heading', () => {
    const math = '$$\n- x_i * y_i\n= z_i * 2\n$$';
    const content = render(`Before\n\n${math}\n\n*After*`);
    expect(content.querySelector('.md-math')?.textContent).toBe(math);
    expect(content.querySelector('ul, h1')).toBeNull();
    expect(content.querySelector('em')?.textContent).toBe('After');
  });

  it('begins and ends between lines of a paragraph', () => {
    const content = render('Before\n$$\nx_1 * y_1\n- z_1 * 2\n$$\nAfter *it* ($$a*b*c$$).');
    expect([...content.querySelectorAll('.md-math')].map((math) => math.textContent)).toEqual([
      '$$\nx_1 * y_1\n- z_1 * 2\n$$',
      '$$a*b*c$$',
    ]);
    expect(content.querySelector('em')?.textContent).toBe('it');
    expect(render('a$$x*y*z$$').querySelector('p')?.textContent).toBe('a$$x*y*z$$');
  });

  // None of them looks for an end behind the next one, so their cost grows with their number alone.
  it.each([
    ['\\(a \\(b\\)', '\\(b\\)'],
    ['\\[a \\[b\\]', '\\[b\\]'],
    ['$a $b$', '$b$'],
    ['$a $a $b$', '$b$'],
    ['$$a $$b$$', '$$a $$'],
  ])('that was begun in %j ends at the next beginning at the latest', (text, found) => {
    const math = [...render(text).querySelectorAll('.md-math')].map(({ textContent }) => textContent);
    expect(math).toEqual([found]);
  });

  it.each(['\\(', '\\[', '$a '])('is not in ten thousand beginnings %j without an end', (beginning) => {
    const content = render(beginning.repeat(10_000));
    expect([content.querySelector('.md-math'), content.textContent.trim().length]).toEqual([
      null,
      beginning.trim().startsWith('\\') ? 10_000 : beginning.length * 10_000 - 1,
    ]);
  });

  it.each(['$5 and *about* $10', 'from $5 to *only* $10 or so', 'US$ 5, *then* US$ 6'])('is not in %s', (text) => {
    const content = render(text);
    expect(content.querySelector('.md-math')).toBeNull();
    expect(content.querySelector('em')).not.toBeNull();
  });

  it('is not in code', () => {
    expect(render('`$a$` and\n\n```\n$b$\n```').querySelector('.md-math')).toBeNull();
  });
});

describe('code', () => {
  it('has colours once it is finished, and the same text', () => {
    const code = '# drop <it>\nStop-Service "lmvpn" --profile 5';
    const content = render(`\`\`\`powershell\n${code}\n\`\`\``);
    expect(content.querySelector('code')?.textContent).toBe(code);
    expect(content.querySelector('.md-comment')?.textContent).toBe('# drop <it>');
    expect(content.querySelector('.md-word')?.textContent).toBe('Stop-Service');
    expect(content.querySelector('.md-string')?.textContent).toBe('"lmvpn"');
    expect(growing(`\`\`\`powershell\n${code}`).querySelector('code [class]:not(.md-caret)')).toBeNull();
  });

  it('of a language that nobody knows stays plain', () => {
    expect(render('```klingon\nlet x = <b>1</b>\n```').querySelector('code')?.innerHTML).toBe(
      'let x = &lt;b&gt;1&lt;/b&gt;',
    );
  });

  it('brings nothing but spans of our own', () => {
    const content = render('```html\n<script onload="x">alert(1)</script><img src=x onerror=alert(1)>\n```');
    const inside = [...content.querySelectorAll('code *')];
    expect(inside.length).toBeGreaterThan(0);
    for (const element of inside) {
      expect(element.tagName).toBe('SPAN');
      expect([...element.attributes].every(({ name, value }) => name === 'class' && value.startsWith('md-'))).toBe(
        true,
      );
    }
  });
});

describe('the caret', () => {
  it.each([
    ['Hello', 'P'],
    ['- one\n- two\n  - deep', 'LI'],
    ['- one\n\n- two', 'P'],
    ['> said', 'P'],
    ['```ts\nconst a', 'CODE'],
    ['| a | b |\n|---|---|\n| 1 | 2', 'TD'],
    ['| a | b |\n|---|---|\n', 'TH'],
    ['## Head', 'H2'],
  ])('in %j stands once, behind the last word', (text, place) => {
    const carets = growing(`Before.\n\n${text}`).querySelectorAll('.md-caret');
    expect([...carets].map((caret) => caret.parentElement?.tagName)).toEqual([place]);
    expect(carets[0]?.nextSibling).toBeNull();
    expect(render(text).querySelector('.md-caret')).toBeNull();
  });
});
