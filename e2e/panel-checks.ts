import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import { describeSkipped, eventually } from '@parley/testing';
import type { Browser, Locator, Page } from 'playwright-core';
import { ines } from './accounts.ts';
import { newBrowserFor, noBrowser, openBrowser, type Person } from './browser.ts';
import type { Product } from './edition.ts';
import { embeddedEdition } from './embedded-edition.ts';
import { preparePanels, type Places } from './panel-scene.ts';
import type { Panel } from './open-panel.ts';
import { panels } from './panels.ts';

const sizes = { wide: { width: 1280, height: 800 }, small: { width: 360, height: 800 } };
/** Opens every panel and dialog in a window of this size, and looks whether what ends it is in view. */
export function describePanels(size: 'wide' | 'small'): void {
  const name = `every panel and dialog at ${sizes[size].width}`;
  if (noBrowser) describeSkipped(name, noBrowser);
  else describe(name, () => definePanels(size));
}

function definePanels(size: 'wide' | 'small'): void {
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
    await admin.page.setViewportSize(sizes[size]);
    await admin.page.emulateMedia({ reducedMotion: 'reduce' });
    places = await preparePanels(product);
  }, 180_000);
  afterAll(async () => {
    await browser?.close();
    await product?.close();
  });

  const shown = panels.filter(({ only }) => only === undefined || only === size);
  test.each(shown)('$title has what ends it in view', async (panel) => {
    const { page } = admin;
    await openPanel(page, panel);
    expect(await seen(find(page, panel), panel)).toBe('in view');
  });

  async function openPanel(page: Page, panel: Panel): Promise<void> {
    const path = panel.path.replace(/:(\w+)/, (_all, key: string) => places[key as keyof Places]);
    await page.goto(`${product.url}/en/${path}`);
    await panel.open(page);
    const opened = find(page, panel);
    await opened.getByRole('button', { name: panel.end, exact: true }).waitFor();
    for (const area of await opened.locator('textarea:visible').all()) await area.fill('One more line.\n'.repeat(40));
  }
}

/** The `main` of a page has no name. */
const find = (page: Page, { role, title }: Panel): Locator =>
  role === 'main' ? page.getByRole(role) : page.getByRole(role, { name: title });

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
