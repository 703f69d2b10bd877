/**
 * The address within our own pages, or null. Read as the browser will read it: it takes out tabs and turns backslashes
 * round, so that `/%09/evil.example` and `/\\evil.example` are another site's addresses.
 */
export function ownAddress(next: string | null): string | null {
  if (!next?.startsWith('/') || !URL.canParse(next, location.origin)) return null;
  const { origin, pathname, search, hash } = new URL(next, location.origin);
  return origin === location.origin && !pathname.startsWith('//') ? pathname + search + hash : null;
}
