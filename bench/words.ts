// Texts that nobody wrote, the same in each run.
const vocabularySize = 2_500;
const syllables = ['ka', 'ro', 'mi', 'te', 'su', 'lan', 'der', 'vo', 'pri', 'na', 'gel', 'tor', 'i', 'en', 'sha', 'wu'];

/** Numbers from 0 to 1 that are the same in each run (Mulberry32). */
export function numbersFrom(seed: number): () => number {
  let state = seed;
  return () => {
    state = (state + 0x6d2b79f5) | 0;
    let mixed = Math.imul(state ^ (state >>> 15), 1 | state);
    mixed = (mixed + Math.imul(mixed ^ (mixed >>> 7), 61 | mixed)) ^ mixed;
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 4_294_967_296;
  };
}

/** The word of a rank; frequent words are short, as in a language. */
function wordOf(rank: number): string {
  let word = '';
  for (let rest = rank + 1; rest > 0; rest = Math.floor(rest / syllables.length))
    word += syllables[rest % syllables.length];
  return word;
}

/** Texts of some 490 characters and 65 different words, which are as frequent as in a language (Zipf). */
export function texts(next: () => number): () => string {
  const words = Array.from({ length: vocabularySize }, (_unused, rank) => wordOf(rank));
  return () => {
    const length = 110 + Math.floor(next() * 748);
    let text = '';
    while (text.length < length) text += `${words[Math.floor(vocabularySize ** (next() ** 1.4)) - 1]} `;
    return text.trim();
  };
}
