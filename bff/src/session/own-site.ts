import { csrfHeader, Problem } from '@parley/protocol';
import type { IncomingMessage } from 'node:http';
import type { BffSettings } from '../bff-settings.ts';

const isHost = (name: string): boolean => name.toLowerCase() === 'host';
const loopbackNames = new Set(['localhost', '127.0.0.1', '[::1]']);

/**
 * Which requests come from our own pages. CSRF: Sec-Fetch-Site, else Origin, and always a header that no other site can
 * send without asking (OWASP CSRF cheat sheet: Fetch Metadata). Host names that are not ours are refused, which stops
 * DNS rebinding.
 */
export class OwnSite {
  private readonly settings: Pick<BffSettings, 'publicUrl' | 'isInsecureHttp' | 'tls'>;
  private readonly publicOrigin: URL | null;

  constructor(settings: Pick<BffSettings, 'publicUrl' | 'isInsecureHttp' | 'tls'>) {
    this.settings = settings;
    this.publicOrigin = settings.publicUrl === null ? null : new URL(settings.publicUrl);
  }

  /** False also where the request names two hosts: a proxy before us may have looked at the other one. */
  isOwnHost({ headers: { host }, rawHeaders }: Pick<IncomingMessage, 'headers' | 'rawHeaders'>): boolean {
    if (host === undefined || rawHeaders.filter((name, at) => at % 2 === 0 && isHost(name)).length > 1) return false;
    if (this.publicOrigin && host.toLowerCase() === this.publicOrigin.host) return true;
    if (this.publicOrigin === null && (this.settings.isInsecureHttp || this.settings.tls)) return true;
    return loopbackNames.has(host.toLowerCase().replace(/:\d+$/, ''));
  }

  isOwnOrigin(origin: string, host: string | undefined): boolean {
    if (!URL.canParse(origin)) return false;
    const { host: originHost, origin: normal } = new URL(origin);
    return normal === this.publicOrigin?.origin || originHost === host?.toLowerCase();
  }

  /** Throws `bff.cross-site` for a change that our own pages did not ask for. */
  checkChange({ headers }: Pick<IncomingMessage, 'headers'>): void {
    const site = headers['sec-fetch-site'];
    const { origin } = headers;
    const isOwn =
      typeof site === 'string'
        ? site === 'same-origin'
        : origin === undefined || this.isOwnOrigin(origin, headers.host);
    if (!isOwn || headers[csrfHeader] === undefined) throw new Problem('bff.cross-site');
  }
}
