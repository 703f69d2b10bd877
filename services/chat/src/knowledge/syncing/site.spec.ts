import { expect, test } from '@jest/globals';
import type { OutboundClient } from '@parley/platform/outbound';
import { Readable } from 'node:stream';
import type { WebSource } from './site-scope.ts';
import { Site } from './site.ts';
import { SiteFetcher } from './site-fetcher.ts';

const source = { start: 'page', address: 'https://wiki.example/', below: '/', depth: 1 } as unknown as WebSource;

/** The site with these rules, and when it was asked. */
async function aSite(robots: string): Promise<{ site: Site; askedAt: number[] }> {
  const askedAt: number[] = [];
  const request = async (address: string) => {
    askedAt.push(performance.now());
    const text = address.endsWith('/robots.txt') ? robots : 'A page';
    return { statusCode: 200, headers: { 'content-type': 'text/plain' }, body: Readable.from([Buffer.from(text)]) };
  };
  const outbound = { request } as unknown as OutboundClient;
  const site = await Site.open(source, new SiteFetcher(outbound, 0, new AbortController().signal));
  return { site, askedAt };
}
const visit = (site: Site, path: string) => site.visit(`https://wiki.example${path}`, { depth: 0, known: null });

test('a site is never asked faster than its robots.txt lets us', async () => {
  const { site, askedAt } = await aSite('User-agent: *\nCrawl-delay: 0.3');
  for (const path of ['/', '/a', '/b']) expect((await visit(site, path)).outcome).toBe('document');
  const [, first = 0, second = 0, third = 0] = askedAt;
  // A timer of Node may be a millisecond early.
  for (const pause of [second - first, third - second]) expect(pause).toBeGreaterThanOrEqual(298);
});
