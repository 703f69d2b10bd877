/**
 * The routes of the frontend, below the locale; everything else is its localised 404. A page that does not exist yet is
 * a 404 too.
 */
const patterns = [
  /^$/,
  /^chat$/,
  /^chat\/[A-Za-z0-9_]{1,64}$/,
  /^register$/,
  /^settings\/orgs$/,
  /^settings\/org_admin\/[A-Za-z0-9_]{1,64}$/,
  /^settings\/data-connections$/,
];

export const isKnownPage = (pathBelowLocale: string): boolean =>
  patterns.some((pattern) => pattern.test(pathBelowLocale.replace(/\/$/, '')));
