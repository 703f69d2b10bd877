import { describe, expect, it } from '@jest/globals';
import { markdownOptions } from '../../testing/markdown-options.ts';
import { MarkdownBlocks } from './markdown.ts';
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
