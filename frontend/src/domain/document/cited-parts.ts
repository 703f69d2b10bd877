/** Shorter lines stand on many places of a page. */
const leastLetters = 12;

/**
 * Finds which parts of a page's text, in their order, belong to a passage: line by line, since the reader may have put
 * lines of columns or tables in another order, and whatever blanks and hyphens are between.
 */
export function partsInPassage(parts: readonly string[], passage: string): number[] {
  const letters = parts.map(lettersOf);
  const all = letters.join('');
  const ranges = passage.split(/\n|(?<=[.?!؟。]) /).flatMap((line) => {
    const wanted = lettersOf(line);
    const start = wanted.length < leastLetters ? -1 : all.indexOf(wanted);
    return start === -1 ? [] : [[start, start + wanted.length] as const];
  });
  let end = 0;
  return letters.flatMap((text, at) => {
    const start = end;
    end += text.length;
    return text !== '' && ranges.some(([from, to]) => start < to && end > from) ? [at] : [];
  });
}

const lettersOf = (text: string): string =>
  text
    .normalize('NFKC')
    .replaceAll(/[^\p{L}\p{N}]/gu, '')
    .toLowerCase();
