import { limits } from '@parley/contracts';
import type { OutboundClient, OutboundResponse } from '@parley/platform/outbound';
import { setTimeout as wait } from 'node:timers/promises';
import { mediaTypeIn } from '../documents/index.ts';
import { toSourceError, type SourceError } from './source-error.ts';

export const userAgent = 'Parley';
/** A page is not longer, nor is a sitemap read beyond it. */
export const longestPage = 5_000_000;
const answersWithinMs = 30_000;

/** How a source told one state of a page from another. */
export type Validators = { readonly etag: string | null; readonly lastModified: string | null };
export type Fetched =
  | { readonly kind: 'unchanged' | 'gone' | 'refused' | 'too-large' }
  | { readonly kind: 'failed'; readonly error: SourceError | null }
  | { readonly kind: 'moved'; readonly to: string }
  | ({ readonly kind: 'page'; readonly content: Buffer; readonly contentType: string | null } & Validators);

const gone = new Set([404, 410]);
const refused = new Set([401, 403, 407, 451]);
const moved = new Set([301, 302, 303, 307, 308]);

/** Asks one site, one request after the other and never faster than it likes. */
export class SiteFetcher {
  private next = 0;

  constructor(
    private readonly outbound: OutboundClient,
    private readonly paceMs: number,
    private readonly signal: AbortSignal,
  ) {}

  /** With what is known of it, a page that has not changed is not sent again. Rejects only when `signal` ends it. */
  async get(address: string, known: Validators | null = null): Promise<Fetched> {
    await this.turn();
    const signal = AbortSignal.any([this.signal, AbortSignal.timeout(answersWithinMs)]);
    try {
      const headers = {
        'user-agent': userAgent,
        accept: 'text/html, text/plain, text/markdown, application/pdf, application/xml;q=0.9, */*;q=0.5',
        'accept-encoding': 'identity',
        ...(known?.etag && { 'if-none-match': known.etag }),
        ...(known?.lastModified && { 'if-modified-since': known.lastModified }),
      };
      return await read(await this.outbound.request(address, { method: 'GET', headers, signal }), address);
    } catch (error) {
      this.signal.throwIfAborted();
      const said = toSourceError(error);
      if (said.failure === 'not-allowed') throw said;
      return { kind: 'failed', error: said };
    }
  }

  /** The site has asked for more time between two requests; longer than ten seconds nobody waits. */
  slowDown(seconds: number): SiteFetcher {
    return new SiteFetcher(this.outbound, Math.max(this.paceMs, Math.min(seconds, 10) * 1_000), this.signal);
  }

  private async turn(): Promise<void> {
    const pause = this.next - performance.now();
    if (pause > 0) await wait(pause, undefined, { signal: this.signal });
    this.next = performance.now() + this.paceMs;
  }
}

async function read({ statusCode, headers, body }: OutboundResponse, address: string): Promise<Fetched> {
  const header = (name: string): string | null => [headers[name] ?? []].flat()[0] ?? null;
  // What is left of it is not read, and nobody hears that it ended early.
  body.on('error', () => undefined);
  try {
    if (statusCode === 304) return { kind: 'unchanged' };
    if (gone.has(statusCode)) return { kind: 'gone' };
    if (refused.has(statusCode)) return { kind: 'refused' };
    if (moved.has(statusCode)) {
      const to = URL.parse(header('location') ?? '', address);
      return to ? { kind: 'moved', to: to.href } : { kind: 'failed', error: null };
    }
    if (statusCode !== 200) return { kind: 'failed', error: null };
    const most = mostBytesOf(header('content-type'), address);
    if (Number(header('content-length') ?? 0) > most) return { kind: 'too-large' };
    const content = await bytesOf(body, most);
    if (!content) return { kind: 'too-large' };
    const validators = { etag: header('etag'), lastModified: header('last-modified') };
    return { kind: 'page', content, contentType: header('content-type'), ...validators };
  } finally {
    body.destroy();
  }
}

/** What lies there as a file may be as large as one that is uploaded. */
function mostBytesOf(contentType: string | null, address: string): number {
  const mediaType = mediaTypeIn(contentType, new URL(address).pathname);
  return mediaType === null || mediaType.startsWith('text/') ? longestPage : limits.fileBytes;
}

/** Null when there is more of it than that. */
async function bytesOf(body: AsyncIterable<Buffer>, most: number): Promise<Buffer | null> {
  const chunks: Buffer[] = [];
  let bytes = 0;
  for await (const chunk of body) {
    bytes += chunk.length;
    if (bytes > most) return null;
    chunks.push(chunk);
  }
  return Buffer.concat(chunks);
}
