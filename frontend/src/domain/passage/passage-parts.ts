/** Some paragraphs of a passage, or a table with the names of its columns where it has some. */
export type PassagePart =
  | { readonly kind: 'text'; readonly text: string }
  | { readonly kind: 'table'; readonly names: readonly string[] | null; readonly rows: readonly (readonly string[])[] };

const isRow = (line: string): boolean => /^\s*\|.*\|\s*$/.test(line);
const isRule = (line: string): boolean => /^\s*\|(?:\s*:?-{3,}:?\s*\|)+\s*$/.test(line);
const cellsOf = (line: string): string[] =>
  line
    .trim()
    .slice(1, -1)
    .split(/(?<!\\)\|/)
    .map((cell) => cell.trim().replaceAll('\\|', '|'));

/** Tables stand in passages as Markdown. */
export function partsOf(text: string): PassagePart[] {
  const runs: string[][] = [];
  for (const line of text.split('\n')) {
    const last = runs.at(-1);
    if (last && isRow(last[0] ?? '') === isRow(line)) last.push(line);
    else runs.push([line]);
  }
  return runs.flatMap((lines): PassagePart[] => {
    const words = lines.join('\n').trim();
    if (!isRow(lines[0] ?? '')) return words === '' ? [] : [{ kind: 'text', text: words }];
    const rows = lines.filter((line) => !isRule(line)).map(cellsOf);
    const [names = null, ...others] = rows;
    return [isRule(lines[1] ?? '') ? { kind: 'table', names, rows: others } : { kind: 'table', names: null, rows }];
  });
}

/** What stands around a passage, cut anywhere: of tables their words. */
export const plainOf = (text: string): string =>
  text
    .split('\n')
    .filter((line) => !isRule(line))
    .map((line) => line.replaceAll(/\s*(?<!\\)\|\s*/g, ' · ').replaceAll(/^ · | · $/g, ''))
    .join('\n')
    .trim();
