import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import { describeSkipped, eventually } from '@parley/testing';
import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import type { Browser, Locator, Page } from 'playwright-core';
import { ines } from './accounts.ts';
import { newBrowserFor, noBrowser, openBrowser, type Person } from './browser.ts';
import type { Product } from './edition.ts';
import { embeddedEdition } from './embedded-edition.ts';
import { preparePanels, type Places } from './panel-scene.ts';
import type { Panel } from './open-panel.ts';
import { panels } from './panels.ts';

const name = 'every panel and dialog';
const wide = { width: 1280, height: 800 };
const small = { width: 360, height: 800 };
const features = join(import.meta.dirname, '../frontend/src/features');

/** The frame of others, and what has no button. */
const drawnByOthers = new Set([
  // On narrow screens only: the journey opens it.
  'conversations/components/message-drawer.tsx',
  // Of a question with images.
  'conversations/components/image-viewer.tsx',
  // Ten minutes after a sign-in only.
  'settings/components/download-export-dialog.tsx',
  'organisation-settings/components/form-dialog.tsx',
  'feedback/components/counts-panel.tsx',
  'search/search-palette.tsx',
]);

/** Where one is drawn, so that a new one is not forgotten here. */
function drawnIn(): string[] {
  const files = readdirSync(features, { recursive: true, encoding: 'utf8' });
  return files
    .filter((file) => file.endsWith('.tsx') && !file.endsWith('.test.tsx'))
    .filter((file) =>
      /<(?:SidePanel|Dialog|ConfirmDialog|FormDialog|Modal|DeletedTable)\b/.test(
        readFileSync(join(features, file), 'utf8'),
      ),
    )
    .toSorted();
}

if (noBrowser) describeSkipped(name, noBrowser);
else describe(name, definePanels);

function definePanels(): void {
  let product: Product;
  let browser: Browser;
  let admin: Person;
  let places: Places;
  beforeAll(async () => {
    product = await embeddedEdition.start({ PARLEY_REGISTRATION: 'open', PARLEY_OUTBOUND_ALLOW: '127.0.0.1:9' });
    browser = await openBrowser();
    admin = await newBrowserFor(browser);
    await product.letFirstAdminIn(admin.page, ines);
    await admin.page.getByRole('button', { name: 'Create organisation' }).waitFor();
    places = await preparePanels(product);
  }, 180_000);
  afterAll(async () => {
    await browser?.close();
    await product?.close();
  });

  test('is opened here', () => {
    const opened = new Set(panels.map(({ file }) => file));
    expect(drawnIn().filter((file) => !opened.has(file) && !drawnByOthers.has(file))).toEqual([]);
  });

  test.each(panels)('$title has what ends it in view, at 1280 and at 360', async (panel) => {
    const { page } = admin;
    const opened = page.getByRole(panel.role ?? 'dialog', { name: panel.title });
    await page.setViewportSize(wide);
    await openPanel(page, panel);
    expect(await seen(opened, panel)).toBe('in view');
    await page.setViewportSize(small);
    // Some pages are others on a small window: what was open there has to be opened again.
    if (!(await opened.isVisible())) await openPanel(page, panel);
    expect(await seen(opened, panel)).toBe('in view');
  });

  async function openPanel(page: Page, panel: Panel): Promise<void> {
    const path = panel.path.replace(/:(\w+)/, (_all, key: string) => places[key as keyof Places]);
    await page.goto(`${product.url}/en/${path}`);
    await panel.open(page);
    const opened = page.getByRole(panel.role ?? 'dialog', { name: panel.title });
    await opened.waitFor();
    for (const area of await opened.locator('textarea:visible').all()) await area.fill('One more line.\n'.repeat(40));
  }
}

/** Whether a click on the middle of its button would reach the button. */
async function seen(opened: Locator, { end: name }: Panel): Promise<string> {
  const end = opened.getByRole('button', { name, exact: true });
  const look = () =>
    end.evaluate((button) => {
      const { left, top, width, height } = button.getBoundingClientRect();
      const root = button.ownerDocument;
      const at = root.elementFromPoint(left + width / 2, top + height / 2);
      if (width === 0 || height === 0) return 'has no size';
      return at !== null && (button === at || button.contains(at))
        ? 'in view'
        : `under ${at?.className ?? 'nothing'} at ${top}`;
    });
  // A menu by which it was opened may still be fading.
  await eventually(async () => (await look()) === 'in view', 'its button should be in view', 30_000).catch(
    () => undefined,
  );
  return look();
}
