/** So many tokens of whole files a model is sent at most: a quarter of what it can read. */
export const wholeTokens = (contextTokens: number): number => Math.floor(contextTokens / 4);
