import { copyText } from '../../lib/clipboard.ts';
import { csvOf } from '../../lib/csv.ts';
import { saveFile } from '../../lib/download.ts';

/** What the buttons of code and tables do. */
export type BlockAct = 'copy' | 'wrap' | 'download' | 'csv' | 'markdown';

/** By the language that the answer names; all else is text. */
const endings: Readonly<Record<string, string>> = {
  bash: 'sh',
  c: 'c',
  cpp: 'cpp',
  csharp: 'cs',
  css: 'css',
  csv: 'csv',
  diff: 'diff',
  go: 'go',
  html: 'html',
  java: 'java',
  javascript: 'js',
  js: 'js',
  json: 'json',
  kotlin: 'kt',
  markdown: 'md',
  md: 'md',
  mermaid: 'mmd',
  php: 'php',
  powershell: 'ps1',
  py: 'py',
  python: 'py',
  ruby: 'rb',
  rust: 'rs',
  sh: 'sh',
  sql: 'sql',
  ts: 'ts',
  typescript: 'ts',
  xml: 'xml',
  yaml: 'yaml',
  yml: 'yaml',
};

/** Resolves with whether something is on the clipboard now. */
export async function actOn(button: HTMLButtonElement): Promise<boolean> {
  const act = button.dataset['act'] as BlockAct;
  const code = button.closest('.md-code');
  const table = button.closest('.md-tableplace')?.querySelector('table');
  if (code) return actOnCode(act, code, button);
  if (!table) return false;
  return copyText(act === 'csv' ? await csvOf(rowsOf(table)) : markdownOf(rowsOf(table)));
}

function actOnCode(act: BlockAct, block: Element, button: HTMLButtonElement): Promise<boolean> | boolean {
  const text = block.querySelector('code')?.textContent ?? '';
  if (act === 'copy') return copyText(text);
  if (act === 'wrap') button.setAttribute('aria-pressed', String(block.classList.toggle('md-wrapped')));
  if (act === 'download') {
    const language = block.querySelector('.md-codehead span')?.textContent?.toLowerCase() ?? '';
    saveFile(`code.${endings[language] ?? 'txt'}`, new TextEncoder().encode(text).buffer);
  }
  return false;
}

/** The words of its cells; formulas as they were typed. */
const rowsOf = (table: Element): string[][] =>
  [...table.querySelectorAll('tr')].map((row) => [...row.querySelectorAll('th, td')].map(wordsOf));

function wordsOf(cell: Element): string {
  const copy = cell.cloneNode(true) as Element;
  for (const formula of copy.querySelectorAll('.md-drawn')) formula.replaceWith(formula.getAttribute('title') ?? '');
  return (copy.textContent ?? '').replace(/\s+/g, ' ').trim();
}

function markdownOf([head = [], ...rows]: string[][]): string {
  const line = (cells: readonly string[]) =>
    `| ${cells.map((cell) => cell.replaceAll('\\', '\\\\').replaceAll('|', '\\|')).join(' | ')} |`;
  return [line(head), `|${'---|'.repeat(head.length)}`, ...rows.map(line), ''].join('\n');
}
