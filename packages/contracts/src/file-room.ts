/** Returns how many tokens of whole files a model is sent at most: a quarter of its context. */
export const wholeTokens = (contextTokens: number): number => Math.floor(contextTokens / 4);

/** Limits the passages of one file, and those that a question searches on its path: the newest questions come first. */
export const mostFilePassages = 5_000;
/** Limits the passages that an answer has of all searched files together. */
export const passagesOfFiles = 8;
/** Readers end a passage before that; only some of tables are longer. */
const passageCharacters = 900;
/** Estimates the tokens of these passages, at most. */
export const passageTokens = Math.ceil((passagesOfFiles * passageCharacters) / 3);

type Wanted = {
  /** Null for a file that is searched. */
  readonly as: 'whole' | 'image' | null;
  /** Estimated, of an image by `imageTokens`; null where they aren't known. */
  readonly tokens: number | null;
};

/**
 * Returns which files of a question have room, in their order: whole ones take a quarter of the model's context at most,
 * with images half of it.
 */
export function haveRoom(files: readonly Wanted[], contextTokens: number): boolean[] {
  let whole = wholeTokens(contextTokens);
  let all = contextTokens / 2;
  return files.map(({ as, tokens }) => {
    if (as === null || tokens === null || tokens > all || (as === 'whole' && tokens > whole)) return false;
    all -= tokens;
    if (as === 'whole') whole -= tokens;
    return true;
  });
}
