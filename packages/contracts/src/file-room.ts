/** So many tokens of whole files a model is sent at most: a quarter of what it can read. */
export const wholeTokens = (contextTokens: number): number => Math.floor(contextTokens / 4);

type Wanted = {
  /** Null: it is searched. */
  readonly as: 'whole' | 'image' | null;
  /** Estimated, of an image by the rule of the model's provider; null where they aren't known. */
  readonly tokens: number | null;
};

/**
 * Which files of a question the model is sent, in their order as long as there is room: whole ones take a quarter of its
 * context at most, with images half of it.
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
