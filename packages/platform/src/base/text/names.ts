import { withoutInvisible } from '@parley/contracts';

const longestSortName = 120;

/** By which a list of names is ordered: without capitals, accents and signs that nobody sees. */
export const sortNameOf = (name: string): string =>
  withoutInvisible(name)
    .normalize('NFKD')
    .replaceAll(/\p{M}+/gu, '')
    .toLowerCase()
    .slice(0, longestSortName);
