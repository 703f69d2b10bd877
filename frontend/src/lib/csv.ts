import { loadChunk } from './load-chunk.ts';

export type CsvRow = Readonly<Record<string, string | number | null>>;

/** What a spreadsheet would take for a formula; a number with its sign is none. */
const formula = /^(?:[=@\t\r]|[+-](?!\d[\d.,]*\s?%?$))/;

/**
 * Rows as comma-separated values (RFC 4180), headed by the names of their fields, or all of them lines of cells. No
 * spreadsheet takes a value for a formula: what begins like one begins with an apostrophe.
 */
export async function csvOf(rows: readonly CsvRow[] | readonly (readonly string[])[]): Promise<string> {
  const { default: papa } = await loadChunk(() => import('papaparse'));
  return papa.unparse([...rows] as CsvRow[], { escapeFormulae: formula });
}

/** Has the browser save it; the mark at the beginning tells spreadsheets that it is UTF-8. */
export async function saveCsv(fileName: string, rows: readonly CsvRow[]): Promise<void> {
  const url = URL.createObjectURL(new Blob(['\uFEFF', await csvOf(rows)], { type: 'text/csv' }));
  const link = document.createElement('a');
  link.href = url;
  link.download = fileName;
  link.click();
  URL.revokeObjectURL(url);
}
