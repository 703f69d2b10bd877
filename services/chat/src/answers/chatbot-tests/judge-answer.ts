import type { TestExpectation } from '@parley/contracts';
import { tokenise } from '@parley/platform/text';

type Missing = TestExpectation;
type Found = { readonly documentId: string; readonly heading: string | null; readonly text: string };

/** Returns the expectations that the answer doesn't meet. The test passes if there are none. */
export function missingIn(
  { words, passages }: TestExpectation,
  { text, found }: { readonly text: string; readonly found: readonly Found[] },
): Missing {
  return {
    words: words.filter((wanted) => !stands(wanted, text)),
    passages: passages.filter(
      ({ documentId, words: wanted }) =>
        !found.some(
          (passage) =>
            passage.documentId === documentId &&
            (wanted === null || stands(wanted, `${passage.heading ?? ''}\n${passage.text}`)),
        ),
    ),
  };
}

/** Returns whether the text contains the wanted words in a row, whatever their case, accents and punctuation. */
export function stands(wanted: string, text: string): boolean {
  const terms = tokenise(wanted);
  // The wanted text has only punctuation: compare it as written.
  if (terms.length === 0) return text.includes(wanted);
  const all = tokenise(text);
  return all.some((_unused, at) => terms.every((term, next) => all[at + next] === term));
}
