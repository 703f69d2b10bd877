import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import { newId } from '@parley/platform/ids';
import { describeSkipped } from '@parley/testing';
import { ParleyClient } from '@parley/testing/client';
import type { Browser } from 'playwright-core';
import { newBrowserFor, noBrowser, openBrowser } from './browser.ts';
import type { Account, Product } from './edition.ts';
import { embeddedEdition } from './embedded-edition.ts';
import { signIn } from './sign-in.ts';

const reader: Account = { name: 'Ines Vardale', email: 'ines@example.com', password: 'three quiet herons' };

if (noBrowser) describeSkipped('a tab whose network comes and goes', noBrowser);
else describe('a tab whose network comes and goes', defineSuite);

function defineSuite(): void {
  let product: Product;
  let browser: Browser;
  let client: ParleyClient;
  beforeAll(async () => {
    product = await embeddedEdition.start({ PARLEY_REGISTRATION: 'open' });
    browser = await openBrowser();
    client = new ParleyClient(product.url);
    await client.register(reader);
    await client.createOrganisation('Lindmoor');
  }, 180_000);
  afterAll(async () => {
    await browser?.close();
    await product?.close();
  });

  test.each([500, 1_500, 5_000])(
    'is live again after %s ms, without a reload, and hears what comes',
    async (goneMs) => {
      const conversationId = newId('conversation');
      await client.send(conversationId, 'Are you there?');
      const { context, page } = await newBrowserFor(browser);
      await page.goto(`${product.url}/en`);
      await signIn(page, reader);
      await page.getByRole('textbox', { name: 'Message' }).waitFor();
      await page.goto(`${product.url}/en/chat/${conversationId}`);
      const chip = page.locator('output[data-kind]').first();
      await chip.getByText('Live').waitFor();
      await context.setOffline(true);
      await chip.getByText('Offline').waitFor();
      await page.waitForTimeout(goneMs);
      await context.setOffline(false);
      await chip.getByText('Live').waitFor();
      await client.send(conversationId, 'And now?');
      await page.getByRole('article').getByText('And now?').waitFor();
      expect(await chip.innerText()).toBe('Live');
      await context.close();
    },
  );
}
