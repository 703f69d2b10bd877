import { existsSync } from 'node:fs';
import type { Skipped } from '@parley/testing/servers';
import { chromium, type Browser, type BrowserContext, type Page } from 'playwright-core';

const chromiumPath = ['/usr/bin/chromium', '/usr/bin/chromium-browser', '/usr/bin/google-chrome'].find((path) =>
  existsSync(path),
);
export const noBrowser: Skipped | null =
  chromiumPath === undefined ? { skipped: 'no Chromium here (Debian: chromium)' } : null;
const flags = [
  '--headless',
  '--no-sandbox',
  '--disable-gpu',
  '--disable-quic',
  '--no-first-run',
  '--disable-background-networking',
  '--disable-component-update',
  '--disable-sync',
];

export async function openBrowser(more: readonly string[] = []): Promise<Browser> {
  if (chromiumPath === undefined) throw new Error('There is no Chromium here.');
  return chromium.launch({ executablePath: chromiumPath, args: [...flags, ...more] });
}

export type Person = {
  readonly context: BrowserContext;
  readonly page: Page;
  readonly complaints: string[];
  readonly liveTransports: Set<string>;
};

/**
 * Chromium logs each of these, and a page recovers. A visitor's first request asks whether somebody is signed in: 401. The
 * others happen on a busy machine. A page moves on while its socket still connects. A server says 503 for a moment,
 * because it can't tell in time whether a session still holds. A connection is reset. A style that was preloaded is used
 * only after some seconds.
 */
const excused =
  /status of 40[14]|closed before the connection is established|status of 503|response code: 503|ERR_CONNECTION_RESET|preloaded using link preload but not used/;

/** A browser of its own: cookies, storage, what its console complained about, and how it reached the live door. */
export async function newBrowserFor(
  browser: Browser,
  options: { locale?: string; width?: number } = {},
): Promise<Person> {
  const context = await browser.newContext({
    viewport: { width: options.width ?? 1280, height: 800 },
    locale: options.locale ?? 'en-GB',
  });
  const page = await context.newPage();
  page.setDefaultTimeout(60_000);
  const complaints: string[] = [];
  page.on('pageerror', (error) => complaints.push(error.message));
  page.on('console', (message) => {
    const isComplaint = message.type() === 'error' || message.type() === 'warning';
    if (isComplaint && !excused.test(message.text())) complaints.push(message.text());
  });
  const liveTransports = new Set<string>();
  const noteTransport = (sent: { url(): string }) => {
    const { pathname, searchParams } = new URL(sent.url());
    if (pathname.startsWith('/socket.io')) liveTransports.add(searchParams.get('transport') ?? 'unnamed');
  };
  page.on('request', noteTransport).on('websocket', noteTransport);
  return { context, page, complaints, liveTransports };
}
