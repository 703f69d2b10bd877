// Runs inside the reader process: no decorators or parameter properties here, Node strips the types itself.

/** A table as Markdown: the first row names the columns. Rows are as wide as the widest; empty where there is none. */
export function tableText(rows: readonly (readonly string[])[]): string {
  const filled = rows.filter((row) => row.some((cell) => cell !== ''));
  const width = Math.max(0, ...filled.map(({ length }) => length));
  if (width === 0) return '';
  const line = (cells: readonly string[]): string =>
    `| ${Array.from({ length: width }, (_, at) => (cells[at] ?? '').replaceAll('|', '\\|')).join(' | ')} |`;
  const [names = [], ...others] = filled;
  return [line(names), line(Array.from({ length: width }, () => '---')), ...others.map(line)].join('\n');
}

/** A head that is longer would fill the passages; it stands in each of them. */
const longestHead = 400;

/** A table as one text; one with very many columns, or long names of them, row by row with the name at each value. */
export function rowTexts(rows: readonly (readonly string[])[]): string[] {
  const [names = [], ...others] = rows;
  if (others.length === 0 || names.join(' | ').length <= longestHead) return [tableText(rows)].filter(Boolean);
  return others.map((row) => row.flatMap((cell, at) => (cell === '' ? [] : `${names[at] ?? ''}: ${cell}`)).join('\n'));
}

const isRow = (line: string | undefined): boolean => line !== undefined && /^\s*\|.*\|\s*$/.test(line);
const isRule = (line: string | undefined): boolean => line !== undefined && /^[\s|:-]+$/.test(line);

/** The names and the rule below them, where a text is a table and nothing else; null otherwise. */
export function tableHead(text: string): string | null {
  const lines = text.split('\n');
  return lines.length > 2 && lines.every(isRow) && isRule(lines[1]) ? lines.slice(0, 2).join('\n') : null;
}

/** A long table in parts that each begin with its head. A row that is longer than a part stays whole. */
export function cutTable(text: string, head: string, mostCharacters: number): string[] {
  const parts: string[] = [];
  let rows: string[] = [];
  let length = head.length;
  for (const row of text.split('\n').slice(2)) {
    if (rows.length > 0 && length + row.length + 1 > mostCharacters) {
      parts.push([head, ...rows].join('\n'));
      [rows, length] = [[], head.length];
    }
    rows.push(row);
    length += row.length + 1;
  }
  return [...parts, [head, ...rows].join('\n')];
}
