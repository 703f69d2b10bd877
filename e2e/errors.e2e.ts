import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import { describeSkipped, eventually } from '@parley/testing';
import type { Browser, Page } from 'playwright-core';
import { newBrowserFor, noBrowser, openBrowser } from './browser.ts';
import type { Account, Product } from './edition.ts';
import { embeddedEdition } from './embedded-edition.ts';

const admin: Account = { name: 'Ines Vardale', email: 'ines@example.com', password: 'three quiet herons' };

if (noBrowser) describeSkipped('errors on purpose', noBrowser);
else describe('errors on purpose', defineSuite);

function defineSuite(): void {
  let product: Product;
  let browser: Browser;
  let page: Page;
  const loaded: string[] = [];
  const clientParts = () => loaded.filter((url) => url.includes('/error-client-'));

  beforeAll(async () => {
    product = await embeddedEdition.start({ PARLEY_REGISTRATION: 'open' });
    browser = await openBrowser();
    ({ page } = await newBrowserFor(browser));
    page.on('request', (request) => loaded.push(request.url()));
    await product.letFirstAdminIn(page, admin);
    await page.getByLabel('Name of the organisation').fill('Lindmoor');
    await page.getByRole('button', { name: 'Create organisation' }).click();
    await page.getByRole('textbox', { name: 'Message' }).waitFor();
  }, 180_000);
  afterAll(async () => {
    await browser?.close();
    await product?.close();
  });

  test('of a page, the BFF and a service arrive, and the library comes with the first one only', async () => {
    await page.goto(`${product.url}/en/sentry-test`);
    await page.getByText('No tests yet').waitFor();
    expect(clientParts()).toEqual([]);
    for (const name of [
      'Trigger: Error in the browser',
      'Trigger: Lost promise',
      'Trigger: Error in the BFF',
      'Request: Error in chat',
      'Event: Error in chat',
    ])
      await page.getByRole('button', { name }).click();
    await eventually(async () => expect(await page.getByText('Arrived').count()).toBe(5), 'all five should arrive');
    expect(clientParts()).toHaveLength(1);
  });

  test('while a page loads: the sentence of the specification, and a digest that stands in log and report', async () => {
    await page.goto(`${product.url}/en/sentry-test/error`);
    const { host } = new URL(product.url);
    await page
      .getByText(
        `Application error: a client-side exception has occurred while loading ${host} (see the browser console for more information).`,
        { exact: true },
      )
      .waitFor();
    const digest = /digest ([0-9a-f]{10})/.exec(await page.getByRole('alert').innerText())?.[1] ?? '';
    expect(digest).not.toBe('');
    await eventually(
      async () => expect(product.log?.() ?? '').toContain(`"digest":"${digest}"`),
      'the log should have it',
    );
    await page.goto(`${product.url}/en/settings/org_admin?tab=errors&tests=shown&text=${digest}`);
    await page.getByRole('button', { name: /^ErrorTest/ }).click();
    await page.getByText(digest, { exact: true }).waitFor();
  });
}
