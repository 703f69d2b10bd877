import { withoutInvisible } from '@parley/contracts';

const longestSortName = 120;

/** Returns the key that sorts a list of names: without capitals, accents and invisible characters. */
export const sortNameOf = (name: string): string =>
  withoutInvisible(name)
    .normalize('NFKD')
    .replaceAll(/\p{M}+/gu, '')
    .toLowerCase()
    .slice(0, longestSortName);
