import type { Generation, GenerationRow } from './generation.collection.ts';

/**
 * Returns a generation with all of its text. The pieces count while it is written, if they follow the text to which they
 * were added: an older process that takes it over writes another one and leaves them.
 */
export function withWholeText({ pieces = [], keptEpoch, keptLength, ...row }: GenerationRow): Generation {
  if (pieces.length === 0 || row.status !== 'running' || keptEpoch !== row.textEpoch) return row;
  const text = row.text + pieces.join('');
  return text.length === keptLength ? { ...row, text } : row;
}
