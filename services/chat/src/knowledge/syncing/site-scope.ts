import type { ConnectionSource } from '@parley/contracts';

export type WebSource = Extract<ConnectionSource, { kind: 'web' }>;
const longestAddress = 2_000;

/**
 * The address that a link leads to, without its place in the page; null for what is no address of a site or longer than
 * one should be.
 */
export function addressOf(link: string, base: string): string | null {
  const url = URL.parse(link, base);
  if (!url || (url.protocol !== 'http:' && url.protocol !== 'https:')) return null;
  if (url.username !== '' || url.password !== '') return null;
  url.hash = '';
  return url.href.length > longestAddress ? null : url.href;
}

/** Whether the connection may read it: on the host of its start, at the path or below it. */
export function isInScope({ address, below }: Pick<WebSource, 'address' | 'below'>, wanted: string): boolean {
  const [start, url] = [new URL(address), new URL(wanted)];
  if (url.host !== start.host) return false;
  const folder = below.endsWith('/') ? below : `${below}/`;
  return url.pathname === below || url.pathname.startsWith(folder);
}

/** What a page is called that has no title: the last part of its address. */
export function nameOf(address: string): string {
  const { pathname, host } = new URL(address);
  const last = pathname.split('/').findLast((part) => part !== '');
  if (last === undefined) return host;
  try {
    return decodeURIComponent(last);
  } catch {
    return last;
  }
}
