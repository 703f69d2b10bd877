import { readLinks, type PageLinks } from '@parley/document-reader';
import { Readable } from 'node:stream';
import { createHash } from 'node:crypto';
import robotsModule, { type Robot } from 'robots-parser';
import { mediaTypeIn, type FailureOfSource, type SourceDocument } from '../documents/index.ts';
import { addressOf, isInScope, nameOf, type WebSource } from './site-scope.ts';
import { userAgent, type Fetched, type SiteFetcher, type Validators } from './site-fetcher.ts';
import { SourceError } from './source-error.ts';

/** Its types name a default export of what is the function itself. */
const robotsParser = robotsModule as unknown as typeof robotsModule.default;
const readsWithinMs = 20_000;
/** Sitemaps that an index may lead to. */
const mostSitemaps = 50;
const longestRobots = 500_000;
/** So many requests in a row without an answer, and the whole site is away. */
const mostSilences = 5;

/** Of an address: what is there now. `links` are addresses that the connection may read. */
export type Visit = {
  readonly outcome: 'document' | 'unchanged' | 'nothing' | 'gone' | 'outside' | FailureOfSource;
  readonly document?: SourceDocument & { readonly content: Buffer };
  readonly links: readonly string[];
};
type Known = (Validators & { readonly hash: string | null }) | null;
const nothing: Visit = { outcome: 'nothing', links: [] };

/** A web site as one connection reads it: within its scope, and as its robots.txt allows. */
export class Site {
  private silences = 0;

  private constructor(
    private readonly source: WebSource,
    private readonly fetcher: SiteFetcher,
    private readonly robots: Robot,
  ) {}

  /** Rejects with `SourceError` where the site does not answer, or does not let us in. */
  static async open(source: WebSource, fetcher: SiteFetcher): Promise<Site> {
    const address = new URL('/robots.txt', source.address).href;
    const answer = await fetcher.get(address);
    if (answer.kind === 'failed') throw answer.error ?? new SourceError('unreachable', 'robots.txt');
    const rules = answer.kind === 'page' ? answer.content.subarray(0, longestRobots).toString('utf8') : '';
    const robots = robotsParser(address, rules);
    if (robots.isDisallowed(source.address, userAgent)) throw new SourceError('robots');
    const delay = robots.getCrawlDelay(userAgent) ?? 0;
    return new Site(source, delay > 0 ? fetcher.slowDown(delay) : fetcher, robots);
  }

  /** Where reading begins: the start page, or what the sitemap lists. */
  async starts(): Promise<string[]> {
    if (this.source.start === 'page') return [new URL(this.source.address).href];
    const listed = new Set<string>();
    const sitemaps = [this.source.address];
    for (let at = 0; at < sitemaps.length && at < mostSitemaps; at += 1) {
      const { links, isIndex } = await this.sitemap(sitemaps[at]!);
      const { host } = new URL(this.source.address);
      if (isIndex) sitemaps.push(...links.filter((link) => new URL(link).host === host && !sitemaps.includes(link)));
      else for (const link of links) if (this.mayRead(link)) listed.add(link);
    }
    return [...listed];
  }

  /** Rejects with `SourceError` when the site does not answer any more. */
  async visit(address: string, { depth, known }: { readonly depth: number; readonly known: Known }): Promise<Visit> {
    if (!this.mayRead(address)) return { outcome: 'outside', links: [] };
    const fetched = await this.fetcher.get(address, known);
    this.countSilences(fetched);
    switch (fetched.kind) {
      case 'page':
        return this.visitPage(address, fetched, { depth, known });
      case 'moved':
        return this.movedTo(addressOf(fetched.to, address));
      case 'unchanged':
        return { outcome: 'unchanged', links: [] };
      case 'refused':
        return { outcome: 'source-refused', links: [] };
      case 'too-large':
        return { outcome: 'too-large', links: [] };
      case 'failed':
        return { outcome: 'source-failed', links: [] };
      case 'gone':
        return { outcome: 'gone', links: [] };
    }
  }

  /** What moved within the site is read where it is now. */
  private movedTo(to: string | null): Visit {
    return to !== null && this.mayRead(to) ? { outcome: 'gone', links: [to] } : { outcome: 'outside', links: [] };
  }

  private async visitPage(
    address: string,
    { content, contentType, etag, lastModified }: Extract<Fetched, { kind: 'page' }>,
    { depth, known }: { readonly depth: number; readonly known: Known },
  ): Promise<Visit> {
    const mediaType = mediaTypeIn(contentType, new URL(address).pathname);
    if (!mediaType || content.length === 0) return nothing;
    const hash = createHash('sha256').update(content).digest('base64url');
    const page = mediaType === 'text/html' ? await this.linksOf(content, mediaType) : null;
    const isFollowed = page !== null && this.source.start === 'page' && depth < this.source.depth;
    const links = isFollowed ? this.within(page, address) : [];
    if (page?.isHidden) return { outcome: 'gone', links };
    if (known?.hash === hash) return { outcome: 'unchanged', links };
    const document = { address, name: page?.title ?? nameOf(address), mediaType, etag, lastModified, hash, content };
    return { outcome: 'document', document, links };
  }

  private async sitemap(address: string): Promise<{ links: string[]; isIndex: boolean }> {
    const fetched = await this.fetcher.get(address);
    const why = {
      gone: 'not-found',
      refused: 'refused',
      'too-large': 'unreadable',
      unchanged: 'unreadable',
      moved: 'outside',
    } as const;
    if (fetched.kind === 'failed') throw fetched.error ?? new SourceError('unreachable', 'sitemap');
    if (fetched.kind !== 'page') throw new SourceError(why[fetched.kind], address);
    const read = await readLinks(Readable.from(fetched.content), { mediaType: 'text/xml', timeoutMs: readsWithinMs });
    if ('failure' in read) throw new SourceError('unreadable', address);
    return { links: read.links.flatMap((link) => addressOf(link, address) ?? []), isIndex: read.isIndex };
  }

  /** A page that its reader dies of leads nowhere. */
  private async linksOf(content: Buffer, mediaType: string): Promise<PageLinks | null> {
    const read = await readLinks(Readable.from(content), { mediaType, timeoutMs: readsWithinMs });
    return 'failure' in read ? null : read;
  }

  private within({ base, links }: PageLinks, address: string): string[] {
    const from = base === null ? address : (addressOf(base, address) ?? address);
    const found = links.flatMap((link) => addressOf(link, from) ?? []).filter((link) => this.mayRead(link));
    return [...new Set(found)];
  }

  private mayRead(address: string): boolean {
    return isInScope(this.source, address) && !this.robots.isDisallowed(address, userAgent);
  }

  private countSilences({ kind, ...fetched }: Fetched): void {
    this.silences = kind === 'failed' ? this.silences + 1 : 0;
    const error = 'error' in fetched ? fetched.error : null;
    if (this.silences >= mostSilences) throw error ?? new SourceError('unreachable', 'five pages in a row');
  }
}
