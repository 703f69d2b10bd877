import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import { newId } from '@parley/platform/ids';
import { describeSkipped, eventually } from '@parley/testing';
import { ParleyClient } from '@parley/testing/client';
import type { Browser, Locator, Page } from 'playwright-core';
import { ines } from './accounts.ts';
import { newBrowserFor, noBrowser, openBrowser } from './browser.ts';
import type { Product } from './edition.ts';
import { embeddedEdition } from './embedded-edition.ts';
import { signIn } from './sign-in.ts';

const name = 'the picker of who answers';
/** More than fit beside each other, and one that is as long as names get. */
const models = [
  ...Array.from({ length: 29 }, (_unused, at) => `small-${at + 1}`),
  'substation-maintenance-and-switching-operations-northern-grid',
];
const last = models.at(-1)!;

if (noBrowser) describeSkipped(name, noBrowser);
else describe(name, definePicker);

function definePicker(): void {
  let product: Product;
  let browser: Browser;
  beforeAll(async () => {
    product = await embeddedEdition.start({ PARLEY_REGISTRATION: 'open', PARLEY_OUTBOUND_ALLOW: '127.0.0.1:9' });
    browser = await openBrowser();
    const owner = new ParleyClient(product.url);
    await owner.register(ines);
    await owner.createOrganisation('Lindmoor');
    const at = { baseUrl: 'http://127.0.0.1:9/v1', models, defaultModel: models[0]!, isDefault: true };
    await owner.call('POST /api/chat/providers', { body: { id: newId('provider'), name: 'Elsewhere', ...at } });
  }, 180_000);
  afterAll(async () => {
    await browser?.close();
    await product?.close();
  });

  test.each([1280, 360])(
    'at %i × 800 every choice is in view by scrolling, and the last can be chosen',
    async (width) => {
      const { context, page, complaints } = await newBrowserFor(browser, { width });
      await page.goto(`${product.url}/en`);
      await signIn(page, ines);
      await page.getByRole('textbox', { name: 'Message' }).waitFor();
      const picker = page.getByRole('button', { name: /Choose another one/ });
      expect(await reaches(picker)).toBe('in view');
      await picker.click();
      const list = page.getByRole('menu');
      await list.waitFor();
      const choices = list.getByRole('menuitem');
      await eventually(async () => expect(await choices.count()).toBe(models.length + 1), 'all should be offered');
      expect(await isInside(page, list)).toBe(true);
      const search = list.getByRole('searchbox', { name: 'Search' });
      for (const at of [0, Math.floor(models.length / 2), models.length]) {
        await choices.nth(at).scrollIntoViewIfNeeded();
        expect([at, await reaches(choices.nth(at)), await reaches(search)]).toEqual([at, 'in view', 'in view']);
      }
      await choices.filter({ hasText: last }).click();
      await page.getByRole('button', { name: new RegExp(last) }).waitFor();
      expect(await page.locator('html').evaluate((root) => root.scrollWidth <= root.clientWidth)).toBe(true);
      expect(complaints).toEqual([]);
      await context.close();
    },
  );
}

/** Tells whether a click on its middle would reach it, once it doesn't move any more. */
async function reaches(target: Locator): Promise<string> {
  const look = () =>
    target.evaluate((element) => {
      const { left, top, width, height } = element.getBoundingClientRect();
      const at = element.ownerDocument.elementFromPoint(left + width / 2, top + height / 2);
      return at !== null && (element === at || element.contains(at))
        ? 'in view'
        : `under ${at?.className ?? 'nothing'}`;
    });
  await eventually(async () => (await look()) === 'in view', 'it should be in view', 30_000).catch(() => undefined);
  return look();
}

async function isInside(page: Page, target: Locator): Promise<boolean> {
  const { width, height } = page.viewportSize()!;
  const look = async () => {
    const box = await target.boundingBox();
    return box !== null && box.x >= 0 && box.y >= 0 && box.x + box.width <= width && box.y + box.height <= height;
  };
  return eventually(look, 'the list should be inside of the window', 30_000).then(
    () => true,
    () => false,
  );
}
