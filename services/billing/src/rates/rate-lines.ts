import { highestPriceMicros, modelName, mostRateLines, providerHost, type RateLineFault } from '@parley/contracts';
import { Problem } from '@parley/protocol';
import { newId } from '@parley/platform/ids';
import { CsvError, parse } from 'csv-parse/sync';
import { z } from 'zod';
import type { WantedRate } from './rate.ts';

const mandatory = ['model', 'input', 'output'];
const columns = new Set([...mandatory, 'host', 'cached', 'valid_from', 'valid_until']);
const time = z.union([z.iso.date(), z.iso.datetime()]);

/** One line of the file, the number as in the text. */
export type RateLine = { readonly line: number } & (
  | { readonly wanted: WantedRate }
  | { readonly fault: RateLineFault }
);
type Row = { readonly record: readonly string[]; readonly info: { readonly lines: number } };
type Cells = ReadonlyMap<string, string>;

/** What the lines below that of the columns say. A text that is no CSV is one fault. */
export function readRateLines(csv: string): RateLine[] {
  const rows = rowsOf(csv);
  if (!Array.isArray(rows)) return [rows];
  const [head, ...lines] = rows;
  if (lines.length > mostRateLines) throw tooMany();
  const names = (head?.record ?? []).map((name) => name.toLowerCase());
  const isKnown = names.every((name) => columns.has(name)) && new Set(names).size === names.length;
  if (!isKnown || !mandatory.every((name) => names.includes(name))) return [{ line: 1, fault: 'columns' }];
  return lines.map(({ record, info: { lines: line } }): RateLine => {
    if (record.length !== names.length) return { line, fault: 'columns' };
    return { line, ...readLine(new Map(names.map((name, at) => [name, record[at] ?? '']))) };
  });
}

function rowsOf(csv: string): Row[] | RateLine {
  try {
    const options = { bom: true, info: true, skip_empty_lines: true, trim: true, relax_column_count: true } as const;
    return parse(csv, { ...options, delimiter: [',', ';', '\t'], to: mostRateLines + 2 }) as unknown as Row[];
  } catch (error) {
    if (!(error instanceof CsvError)) throw error;
    return { line: Number(error['lines'] ?? 1), fault: 'columns' };
  }
}

function readLine(cells: Cells): { readonly wanted: WantedRate } | { readonly fault: RateLineFault } {
  const host = cells.get('host') ? providerHost.safeParse(cells.get('host')) : { success: true, data: null };
  if (!host.success) return { fault: 'host' };
  const model = modelName.safeParse(cells.get('model'));
  if (!model.success) return { fault: 'model' };
  const inputMicros = microsOf(cells.get('input'));
  const outputMicros = microsOf(cells.get('output'));
  const cachedMicros = cells.get('cached') ? microsOf(cells.get('cached')) : inputMicros;
  if (inputMicros === null || outputMicros === null || cachedMicros === null) return { fault: 'price' };
  const validFrom = timeOf(cells.get('valid_from'));
  const validUntil = timeOf(cells.get('valid_until'));
  if (validFrom === undefined || validUntil === undefined) return { fault: 'date' };
  const prices = { inputMicros, outputMicros, cachedMicros };
  return {
    wanted: { id: newId('rate'), host: host.data ?? null, model: model.data, ...prices, validFrom, validUntil },
  };
}

/** `2.5` is 2,500,000; null when it is no price, or more exact than a micro-unit. */
function microsOf(text = ''): number | null {
  const [, whole = '', fraction = ''] = /^(\d{1,6})(?:\.(\d{1,6}))?$/.exec(text) ?? [];
  const micros = Number(whole + fraction.padEnd(6, '0'));
  return whole === '' || micros > highestPriceMicros ? null : micros;
}

/** Null where there is none; undefined when it is no time. */
function timeOf(text = ''): Date | null | undefined {
  if (text === '') return null;
  return time.safeParse(text).success ? new Date(text) : undefined;
}

const tooMany = (): Problem =>
  new Problem('platform.invalid-request', {
    errors: [{ path: 'body.csv', message: `at most ${mostRateLines} lines` }],
  });
