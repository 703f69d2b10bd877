import { searchKeys, type StemmedLanguage } from '@parley/platform/text';
import type { NewChunk } from './chunk.collection.ts';
import type { Passage } from './passage.ts';

/** So many rows of the index are written in one transaction, or those of one passage: others wait for some 10 ms, on a busy machine 20. */
export const keysPerInsert = 2_000;
/** Short passages have few keys each, but a row to write all the same. */
const rowsPerInsert = 200;

/** What is inserted at once. Each batch is made when the one before it is stored, so others come in between. */
export function* inserts(
  passages: readonly Passage[],
  toRow: (passage: Passage, index: number) => NewChunk,
): Generator<NewChunk[]> {
  let batch: NewChunk[] = [];
  let keys = 0;
  for (const [index, passage] of passages.entries()) {
    const row = toRow(passage, index);
    const isFull = batch.length >= rowsPerInsert || keys + row.searchKeys.length > keysPerInsert;
    if (isFull && batch.length > 0) {
      yield batch;
      [batch, keys] = [[], 0];
    }
    batch.push(row);
    keys += row.searchKeys.length;
  }
  if (batch.length > 0) yield batch;
}

/** What passages count for storage: their texts and headings, in bytes. */
export const textBytesOf = (passages: readonly Pick<Passage, 'heading' | 'text'>[]): number =>
  passages.reduce((sum, { heading, text }) => sum + Buffer.byteLength(text) + Buffer.byteLength(heading ?? ''), 0);

/** The words of the passage come first: should there be too many, those above it are left out. */
export const passageKeys = (
  documentName: string,
  { heading, text }: Passage,
  language: StemmedLanguage | null,
): string[] => searchKeys(`${text} ${heading ?? ''} ${documentName}`, language);
