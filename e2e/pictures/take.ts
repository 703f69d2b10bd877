import { statSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import type { Browser, Page } from 'playwright-core';
import sharp from 'sharp';

export const images = join(import.meta.dirname, '../../docs/images');
export type Scheme = 'light' | 'dark';

const mostBytes = 150_000;

/** The size of all pictures, one pixel of the page in one of theirs. */
export async function openPage(browser: Browser, colorScheme: Scheme): Promise<Page> {
  const context = await browser.newContext({
    viewport: { width: 1280, height: 800 },
    deviceScaleFactor: 1,
    locale: 'en-GB',
    timezoneId: 'Europe/London',
    colorScheme,
    reducedMotion: 'reduce',
  });
  const page = await context.newPage();
  page.setDefaultTimeout(60_000);
  return page;
}

/** Throws where the picture is too large for a page that people open on their phone. */
export async function take(page: Page, name: string): Promise<void> {
  await page.evaluate('document.fonts.ready');
  // New things are highlighted for a second.
  await page.waitForTimeout(1_500);
  await page.mouse.move(1_279, 799);
  const path = join(images, `${name}.png`);
  const shot = await page.screenshot({ animations: 'disabled', caret: 'hide' });
  writeFileSync(path, await sharp(shot).png({ palette: true, compressionLevel: 9, effort: 10 }).toBuffer());
  const { size } = statSync(path);
  if (size > mostBytes) throw new Error(`${name}.png has ${size} bytes, more than ${mostBytes}.`);
  process.stdout.write(`${name}.png  ${Math.round(size / 1_000)} kB\n`);
}
