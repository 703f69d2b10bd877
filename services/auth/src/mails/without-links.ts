/** Is read as nothing and keeps programs from making a link of what is around it. */
const joiner = '\u2060';
/** Before a letter, as in a host; not in a number or at the end of a sentence. */
const dots = /[.\u3002\uFF0E\uFF61](?=[^\s\d])/gu;
const schemes = /(?:[a-z][a-z\d+.-]*:)?\/{2,}|\b(?:mailto|tel|sms|data|javascript):(?=\S)/giu;
/** Behind what looks like a host. */
const paths = /(?<=\p{L}[.\u3002\uFF0E\uFF61]\p{L}[^\s/?#]*)[/?#]\S*/gu;

/**
 * Returns a name as it is read, which no program makes a link of: without schemes and paths, and with word joiners behind each
 * dot that could be that of a host and around each at sign.
 */
export function nameWithoutLinks(name: string): string {
  let rest = name;
  // Taking a link out can leave another one.
  for (let before = ''; before !== rest;) [before, rest] = [rest, rest.replaceAll(schemes, '')];
  return withJoiners(rest.replaceAll(paths, '')).trim();
}

/** Returns a person's own words with all that they hold; programs make no link of them. */
export const wordsWithoutLinks = (words: string): string =>
  withJoiners(words.replaceAll('//', `/${joiner}/`).replaceAll(/(?<=\p{L}):(?=\S)/gu, `:${joiner}`));

const withJoiners = (text: string): string =>
  text.replaceAll(dots, (dot) => `${dot}${joiner}`).replaceAll('@', `${joiner}@${joiner}`);
