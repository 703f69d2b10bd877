import { afterEach, describe, expect, it, jest } from '@jest/globals';
import katex from 'katex';
import { markdownOptions } from '../../testing/markdown-options.ts';
import { MarkdownBlocks } from './markdown.ts';
import { withoutMath } from './markdown-math.ts';
import { drawMath } from './math.ts';

const options = { ...markdownOptions, drawMath };
function rendered(text: string, isComplete = true): HTMLElement {
  const holder = document.createElement('div');
  holder.innerHTML = new MarkdownBlocks(options).update(text, isComplete).blocks.join('');
  return holder;
}

describe('a formula', () => {
  it.each([
    ['$x^2$', 'SPAN', 'inline'],
    ['\\(x^2\\)', 'SPAN', 'inline'],
    ['$$x^2$$', 'DIV', 'block'],
    ['\\[x^2\\]', 'DIV', 'block'],
    ['In words $$x^2$$ too', 'SPAN', 'block'],
  ])('is drawn where the answer writes %s', (text, element, display) => {
    const drawn = rendered(text).querySelector('.md-drawn');
    expect([drawn?.tagName, drawn?.querySelector('msup')?.textContent]).toEqual([element, 'x2']);
    expect(drawn?.querySelector('math')?.getAttribute('display') ?? 'inline').toBe(display);
  });

  it('is drawn while the paragraph around it is written, once it is closed', () => {
    expect(rendered('So $x^2', false).querySelector('math')).toBeNull();
    expect(rendered('So $x^2$ and', false).querySelector('math')).not.toBeNull();
  });

  it.each([['$\\frac{1$'], [`$${'x'.repeat(5_000)}$`], ['$\\def\\a{\\a\\a}\\a$'], ['$\\nosuch{x}$']])(
    'that cannot be drawn stays as it was typed: %.40s',
    (text) => {
      const content = rendered(text);
      expect(content.querySelector('math')).toBeNull();
      expect(content.textContent?.trim()).toBe(text);
    },
  );

  it('leaves prices alone', () => {
    expect(rendered('From $5 to $10.').querySelector('.md-math')).toBeNull();
  });
});

describe('what a formula can hold', () => {
  const attacks = [
    '\\href{javascript:alert(1)}{x}',
    '\\url{https://evil.example}',
    '\\includegraphics{https://evil.example/p.png}',
    '\\htmlStyle{background:url(https://evil.example)}{x}',
    '\\htmlClass{mantine-Button-root}{x}',
    '\\htmlId{root}{x}',
    '\\htmlData{cite=1}{x}',
    '\\text{<img src=x onerror=alert(1)>}',
    '\\rule{9999em}{9999em}',
    '\\color{red;background:url(https://evil.example)}x',
  ];

  it.each(attacks)('is no address, style or element of the page: %s', (tex) => {
    const content = rendered(`$${tex}$ and $$${tex}$$`);
    for (const element of content.querySelectorAll('math, math *')) {
      expect(element.namespaceURI).toBe('http://www.w3.org/1998/Math/MathML');
      for (const { name } of element.attributes) expect(name).not.toMatch(/^on|^style$|^class$|^id$|href$|^src|^data-/);
    }
    expect(content.querySelector('img, a, script')).toBeNull();
    for (const size of content.innerHTML.matchAll(/(?:width|height|voffset)="(\d+)/g))
      expect(Number(size[1])).toBeLessThanOrEqual(20);
  });
});

describe('the work for a formula', () => {
  afterEach(() => void jest.restoreAllMocks());
  const long = 'x'.repeat(1_500);
  const bounded = [
    `\\def\\a{${long}}`,
    `\\gdef\\a{${long}}`,
    `\\long\\def\\a{${long}}`,
    `\\newcommand{\\a}{${long}}`,
    `\\providecommand\\a{${long}}`,
  ];
  const unbounded = [
    `\\edef\\a{${long}}`,
    `\\xdef\\a{${long}}`,
    `\\def\\a#1{#1#1}`,
    `\\newcommand{\\a}[1]{#1#1}`,
    `\\def\\b{${long}}\\expandafter\\def\\expandafter\\a\\expandafter{\\b}`,
    `\\renewcommand{\\alpha}{${long}}\\let\\a\\alpha`,
  ];

  it.each(bounded)('is bounded by the length and number of what macros produce: %.16s', (definition) => {
    const asked = jest.spyOn(katex, 'renderToString');
    const tex = `${definition}${'\\a'.repeat(490)}`;
    expect(drawMath(tex, false)).toBeNull();
    expect(asked.mock.calls[0]![1]!.maxExpand! * tex.length).toBeLessThanOrEqual(20_000);
  });

  it.each(unbounded)('is none where a definition could produce more: %.26s', (definition) => {
    const asked = jest.spyOn(katex, 'renderToString').mockReturnValue('');
    expect(drawMath(`${definition}${'\\a'.repeat(490)}`, false)).toBeNull();
    expect(asked).not.toHaveBeenCalled();
  });

  it.each([
    ['\\newcommand{\\Field}{\\mathbb{R}} x \\in \\Field'],
    ['\\def\\half{\\frac12} \\half + \\half'],
    ['\\renewcommand\\vec{\\mathbf} \\vec{x}'],
  ])('is done where definitions produce little: %s', (tex) => {
    expect(drawMath(tex, false)).toContain('<math');
  });

  it('is done for a row of a table that begins with such a word', () => {
    expect(drawMath('\\begin{matrix}a\\\\let\\end{matrix}', true)).toContain('<math');
  });

  it('ends in so much that a page can lay out: what is longer stays as it was typed', () => {
    expect(drawMath('x'.repeat(1_000), false)).toContain('<math');
    expect(drawMath('x'.repeat(2_500), false)).toBeNull();
  });
});

describe('the search for formulas', () => {
  /** Characters that the forms of a formula were offered. */
  const offered = (text: string): number => {
    const real = RegExp.prototype.exec;
    let characters = 0;
    const spy = jest.spyOn(RegExp.prototype, 'exec').mockImplementation(function exec(this: RegExp, given: string) {
      if (!this.global) characters += given.length;
      return real.call(this, given);
    });
    withoutMath(text);
    spy.mockRestore();
    return characters;
  };

  it.each(['\\$a', '\\\\\\$a', '\\a\\$'])('is linear for signs behind a backslash: %s', (part) => {
    const [few, many] = [100, 1_000].map((count) => offered(`$a${part.repeat(count)}`));
    expect(many! / few!).toBeLessThan(20);
  });

  it('finds formulas after escaped dollar signs', () => {
    const text = 'a \\$ $x$ \\\\$y$ \\$z$';
    expect(withoutMath(text)).toBe('a \\$ aaa \\\\aaa \\$z$');
  });
});
