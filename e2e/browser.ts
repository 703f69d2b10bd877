import { existsSync } from 'node:fs';
import { chromium, type Browser, type BrowserContext, type Page } from 'playwright-core';

/** Where a Chromium is; null where there is none. */
export const chromiumPath = ['/usr/bin/chromium', '/usr/bin/chromium-browser', '/usr/bin/google-chrome'].find((path) => existsSync(path)) ?? null;
const flags = [
  '--headless', '--no-sandbox', '--disable-gpu', '--disable-quic', '--no-first-run', '--disable-background-networking', '--disable-component-update', '--disable-sync',
];

export async function openBrowser(): Promise<Browser> {
  if (!chromiumPath) throw new Error('There is no Chromium here.');
  return chromium.launch({ executablePath: chromiumPath, args: flags });
}

export type Person = { readonly context: BrowserContext; readonly page: Page; readonly complaints: string[] };

/** A browser of its own: cookies, storage, and what its console complained about. */
export async function newBrowserFor(browser: Browser, options: { locale?: string; width?: number } = {}): Promise<Person> {
  const context = await browser.newContext({ viewport: { width: options.width ?? 1280, height: 800 }, locale: options.locale ?? 'en-GB' });
  const page = await context.newPage();
  page.setDefaultTimeout(10_000);
  const complaints: string[] = [];
  page.on('pageerror', (error) => complaints.push(error.message));
  page.on('console', (message) => {
    // A visitor's first request asks whether somebody is signed in: Chromium logs the 401.
    const isExpected = /status of 40[14]/.test(message.text());
    if ((message.type() === 'error' || message.type() === 'warning') && !isExpected) complaints.push(message.text());
  });
  return { context, page, complaints };
}
