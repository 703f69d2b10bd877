import { afterEach, beforeEach, describe, expect, it, jest } from '@jest/globals';
import { markdownOptions } from '../../testing/markdown-options.ts';
import { actOn, type BlockAct } from './block-acts.ts';
import { MarkdownBlocks } from './markdown.ts';
import { drawMath } from './math.ts';

let copied: string[] = [];
beforeEach(() => {
  copied = [];
  const writeText = async (text: string) => void copied.push(text);
  Object.defineProperty(navigator, 'clipboard', { configurable: true, value: { writeText } });
});
afterEach(() => {
  Reflect.deleteProperty(navigator, 'clipboard');
  jest.restoreAllMocks();
});

function answer(text: string, isComplete = true): HTMLElement {
  const holder = document.createElement('div');
  holder.innerHTML = new MarkdownBlocks({ ...markdownOptions, drawMath }).update(text, isComplete).blocks.join('');
  return holder;
}
const buttonOf = (content: Element, act: BlockAct) =>
  content.querySelector<HTMLButtonElement>(`button[data-act="${act}"]`)!;

describe('a table', () => {
  const table =
    '| Relay | **Change** | Note |\n|---|--:|---|\n| 51N-7 | -5 % | a, "b" |\n| 50 | =1+1 | $x^2$ |\n| c\\|d | +2 | |\n';

  it('is copied as CSV, in which nothing is a formula of a spreadsheet', async () => {
    expect(await actOn(buttonOf(answer(table), 'csv'))).toBe(true);
    const [, ...lines] = copied[0]!.split('\r\n');
    expect(lines).toEqual(['51N-7,-5 %,"a, ""b"""', `50,"'=1+1",$x^2$`, 'c|d,+2,']);
  });

  it('is copied as Markdown', async () => {
    await actOn(buttonOf(answer(table), 'markdown'));
    expect(copied).toEqual([
      '| Relay | Change | Note |\n|---|---|---|\n| 51N-7 | -5 % | a, "b" |\n| 50 | =1+1 | $x^2$ |\n| c\\|d | +2 |  |\n',
    ]);
  });

  it('has its buttons once it is whole', () => {
    expect(buttonOf(answer(table, false), 'csv')).toBeNull();
  });
});

describe('code', () => {
  const code = '```ts\nconst herons = 3;\n```\n';

  it('is copied', async () => {
    expect(await actOn(buttonOf(answer(code), 'copy'))).toBe(true);
    expect(copied).toEqual(['const herons = 3;']);
  });

  it('is wrapped, and no more', async () => {
    const content = answer(code);
    const button = buttonOf(content, 'wrap');
    const states: [string | null, boolean][] = [];
    for (let pressed = 0; pressed < 2; pressed += 1) {
      await actOn(button);
      states.push([button.getAttribute('aria-pressed'), content.querySelector('.md-wrapped') !== null]);
    }
    expect(states).toEqual([
      ['true', true],
      ['false', false],
    ]);
  });

  it.each([
    ['ts', 'code.ts'],
    ['PowerShell', 'code.ps1'],
    ['mermaid', 'code.mmd'],
    ['', 'code.txt'],
    ['../../x', 'code.txt'],
  ])('in %s is saved as %s', async (language, name) => {
    const saved: string[] = [];
    URL.createObjectURL = () => 'blob:1';
    URL.revokeObjectURL = () => undefined;
    jest.spyOn(HTMLAnchorElement.prototype, 'click').mockImplementation(function click(this: HTMLAnchorElement) {
      saved.push(this.download);
    });
    await actOn(buttonOf(answer(`\`\`\`${language}\nlet x\n\`\`\`\n`), 'download'));
    expect(saved).toEqual([name]);
  });
});
