import type { AddressVerdict, InvitationId } from '@parley/contracts';
import { newId } from '../../../lib/new-id.ts';

/** So many people are invited at once. */
export const mostLines = 500;

/** One address as it was typed. Its invitation has its id from here on, so that sending it again is harmless. */
export type AddressLine = { readonly id: InvitationId; readonly text: string };
type Checked = { readonly address: string; readonly verdict: AddressVerdict };
/** What the server said of lines, in their order. */
export type Report = {
  readonly sent: readonly string[];
  readonly lines: readonly Checked[];
  readonly seatsLeft: number | null;
};

/** A sign after which the next address begins. */
export const separators = /[,;\n\r\t]/;

/**
 * Addresses of a pasted list or CSV: of a line with an address in it only that counts, not the names beside it. The
 * head of a table is none; anything else stays, so that one sees what is wrong with it.
 */
export function addressesIn(text: string): string[] {
  const rows = text
    .split(/[\n\r]+/)
    .map((row) =>
      row
        .split(/[,;\t]/)
        .flatMap(apart)
        .map(addressOf)
        .filter((cell) => cell !== ''),
    )
    .filter((cells) => cells.length > 0);
  const isAddress = (cell: string) => cell.includes('@');
  return rows.flatMap((cells, at) => {
    if (cells.some(isAddress)) return cells.filter(isAddress);
    const isHead = at === 0 && rows.length > 1 && rows[1]?.some(isAddress);
    return isHead ? [] : cells;
  });
}

/** Several addresses with nothing but spaces between them. */
const apart = (cell: string): string[] =>
  cell.includes('<') || cell.split('@').length < 3 ? [cell] : cell.trim().split(/\s+/);

/** `"Mira Stenvik" <mira@example.org>` is how mail programs copy an address. */
function addressOf(cell: string): string {
  const bare = cell
    .trim()
    .replaceAll(/^["']+|["']+$/g, '')
    .trim();
  return /<([^<>]+)>$/.exec(bare)?.[1]?.trim() ?? bare;
}

/** As many as fit, and how many were left out. */
export function withLines(
  lines: readonly AddressLine[],
  texts: readonly string[],
): { lines: AddressLine[]; leftOut: number } {
  const room = Math.max(0, mostLines - lines.length);
  const added = texts.slice(0, room).map((text) => ({ id: newId('invitation'), text: text.slice(0, 400) }));
  return { lines: [...lines, ...added], leftOut: texts.length - added.length };
}

/** What is known of each line; null for one that was not asked about yet. The second of two alike is its own line. */
export function verdictsOf(lines: readonly AddressLine[], report: Report | undefined): (Checked | null)[] {
  const known = new Map<string, Checked[]>();
  report?.lines.forEach((checked, at) => {
    const text = report.sent[at] ?? '';
    known.set(text, [...(known.get(text) ?? []), checked]);
  });
  return lines.map(({ text }) => known.get(text)?.shift() ?? null);
}
