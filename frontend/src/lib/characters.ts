/** Counts characters as the contract does: an emoji of two code units is one. */
export function charactersOf(text: string): number {
  let count = 0;
  for (const _character of text) count += 1;
  return count;
}
