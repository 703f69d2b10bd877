// Runs inside the reader process: no decorators or parameter properties here, Node strips the types itself.
import papaparse from 'papaparse';
import readWorkbook from 'read-excel-file/universal';
import type { Block } from './split-passages.ts';
import { rowTexts } from './table-text.ts';
import { packed, unpack } from './unpack.ts';
import { Unreadable } from './unreadable.ts';

type Row = readonly string[];
type Cell = string | number | boolean | Date | null | undefined;
type Location = NonNullable<Block['place']>;

/** The tables of an XLSX, sheet by sheet, under the names of their columns. */
export async function splitWorkbook(content: Uint8Array): Promise<Block[]> {
  const parts = unpack(content);
  let sheets;
  try {
    sheets = await readWorkbook(packed(parts));
  } catch {
    throw new Unreadable('damaged');
  }
  return sheets.flatMap(({ sheet, data }, at) =>
    tableBlocks(
      (data as Cell[][]).map((row) => row.map(cellText)),
      [sheet],
      { kind: 'sheet', number: at + 1 },
    ),
  );
}

/** One table; which sign stands between its columns is found out. */
export function splitCsv(source: string): Block[] {
  const { data } = papaparse.parse<string[]>(source.replace(/^\uFEFF/, ''), { skipEmptyLines: 'greedy' });
  return tableBlocks(data.map((row) => row.map(cellText)));
}

/** What stands in a single cell above a table is its title. */
function tableBlocks(rows: readonly Row[], titles: readonly string[] = [], place?: Location): Block[] {
  const filled = rows.filter((row) => row.some((cell) => cell !== ''));
  const isTable = filled.some((row) => countOf(row) > 1);
  const first = isTable ? filled.findIndex((row) => countOf(row) > 1) : filled.length;
  const above = filled.slice(0, first).map((row) => row.find((cell) => cell !== '') ?? '');
  const texts = isTable ? rowTexts(withoutEmptyColumns(filled.slice(first))) : above;
  return texts.map((text) => ({ titles: isTable ? [...titles, ...above] : titles, text, ...(place && { place }) }));
}

const countOf = (row: Row): number => row.filter((cell) => cell !== '').length;

function withoutEmptyColumns(rows: readonly Row[]): Row[] {
  const used = new Set(rows.flatMap((row) => row.flatMap((cell, at) => (cell === '' ? [] : at))));
  return rows.map((row) => row.filter((_cell, at) => used.has(at)));
}

/** A day without a time where it has none. */
function cellText(cell: Cell): string {
  if (cell instanceof Date) return cell.toISOString().slice(0, 16).replace('T', ' ').replace(' 00:00', '');
  return String(cell ?? '')
    .replaceAll(/\s+/g, ' ')
    .trim();
}
