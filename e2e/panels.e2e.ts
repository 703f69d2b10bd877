import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import { describeSkipped, eventually } from '@parley/testing';
import { join } from 'node:path';
import type { Browser, Locator, Page } from 'playwright-core';
import { ines } from './accounts.ts';
import { newBrowserFor, noBrowser, openBrowser, type Person } from './browser.ts';
import { drawnPanels } from './drawn-panels.ts';
import type { Product } from './edition.ts';
import { embeddedEdition } from './embedded-edition.ts';
import { preparePanels, type Places } from './panel-scene.ts';
import type { Panel } from './open-panel.ts';
import { panels } from './panels.ts';

const name = 'every panel and dialog';
const wide = { width: 1280, height: 800 };
const small = { width: 360, height: 800 };
/** Dialogs and panels without a case: how many each file has of them, and why. */
const withoutCase: Readonly<Record<string, readonly [count: number, why: string]>> = {
  'app/shell/shell.tsx': [1, 'The navigation, which is on every page.'],
  'app/visitor-frame.tsx': [2, 'What is beside the forms of visitors has no button.'],
  'features/active-users/components/act-dialog.tsx': [1, 'Only after an act that was refused for some of many.'],
  'features/feedback/components/case-facts.tsx': [1, 'A part of the page of a case.'],
  'features/feedback/components/counts-panel.tsx': [1, 'On a wide window it is a part of the page.'],
  'features/search/search-palette.tsx': [1, 'No button ends it.'],
  'features/settings/components/download-export-dialog.tsx': [1, 'Ten minutes after a sign-in only.'],
  'features/settings/usage-tab.tsx': [1, 'A part of the page.'],
};

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

  test('each has a case', () => {
    const missing = [...drawnPanels(join(import.meta.dirname, '../frontend/src'))].flatMap(([file, drawn]) => {
      const cases = panels.filter((panel) => panel.file === file).length;
      const [left] = withoutCase[file] ?? [0];
      return cases + left < drawn ? [`${file}: ${drawn} drawn, ${cases} opened here`] : [];
    });
    expect(missing).toEqual([]);
  });

  test.each(panels)('$title has what ends it in view, at 1280 and at 360', async (panel) => {
    const { page } = admin;
    const opened = find(page, panel);
    await page.setViewportSize(panel.only === 'small' ? small : wide);
    await openPanel(page, panel);
    expect(await seen(opened, panel)).toBe('in view');
    if (panel.only) return;
    await page.setViewportSize(small);
    // Some pages are others on a small window: what was open there has to be opened again.
    if (!(await opened.isVisible())) await openPanel(page, panel);
    expect(await seen(opened, panel)).toBe('in view');
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
