import type { Generation, GenerationRow } from './generation.collection.ts';

/**
 * Returns a generation with all of its text: appends the pieces only while it runs, and only if they belong to the
 * stored text. A process of an older version that takes the answer over replaces the text but leaves the pieces.
 */
export function withWholeText({ pieces = [], keptEpoch, keptLength, ...row }: GenerationRow): Generation {
  if (pieces.length === 0 || row.status !== 'running' || keptEpoch !== row.textEpoch) return row;
  const text = row.text + pieces.join('');
  return text.length === keptLength ? { ...row, text } : row;
}
