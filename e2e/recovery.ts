import { afterAll, beforeAll, test } from '@jest/globals';
import { eventually } from '@parley/testing';
import { ParleyClient } from '@parley/testing/client';
import type { Browser } from 'playwright-core';
import { newBrowserFor, openBrowser, type Person } from './browser.ts';
import type { Account, Edition, Product } from './edition.ts';
import { report } from './report.ts';
import { signIn } from './sign-in.ts';

const ines: Account = { name: 'Ines Vardale', email: 'ines@example.com', password: 'three quiet herons' };
const newPassword = 'four loud bitterns';

/** A forgotten password, with two devices that are signed in meanwhile. */
export function defineRecovery(edition: Edition): void {
  let product: Product;
  let browser: Browser;
  let devices: Person[];
  beforeAll(async () => {
    product = await edition.start({ PARLEY_REGISTRATION: 'open' });
    const owner = new ParleyClient(product.url);
    await owner.register(ines);
    await owner.createOrganisation('Lindmoor');
    browser = await openBrowser();
    devices = [await newBrowserFor(browser), await newBrowserFor(browser)];
    for (const { page } of devices) {
      await page.goto(`${product.url}/en`);
      await signIn(page, ines);
      await page.getByRole('textbox', { name: 'Message' }).waitFor();
      await page.locator('output[data-kind=live]').waitFor();
    }
  }, 180_000);
  afterAll(async () => {
    await browser?.close();
    await product?.close();
  });

  test('sets a new one by the mailed link: both devices are signed out at once and say why', async () => {
    const { page } = await newBrowserFor(browser);
    await page.goto(`${product.url}/en/forgot-password`);
    await page.getByLabel('Work email').fill(ines.email);
    await page.getByRole('button', { name: 'Ask for a link' }).click();
    await page.getByRole('heading', { name: 'Ask for your link' }).waitFor();
    await page.goto(await eventually(() => product.linkMailedTo(ines.email, 'reset-password'), 'a link is mailed'));
    await page.getByLabel('New password').fill(newPassword);
    await page.getByRole('button', { name: 'Set password' }).click();
    await page.getByRole('heading', { name: 'Your new password is set' }).waitFor();
    const setAt = Date.now();
    await page.getByText(/3 other sessions were ended/).waitFor();
    await Promise.all(
      devices.map((device) => device.page.getByText('Your password was changed on another device.').waitFor()),
    );
    report('a new password: both devices say why they are signed out', [Date.now() - setAt]);
    await page.getByRole('button', { name: 'Open chat' }).click();
    await page.getByRole('textbox', { name: 'Message' }).waitFor();
  });

  test('comes back on a device with the new one only', async () => {
    const [{ page }] = devices as [Person];
    await signIn(page, ines);
    await page.getByText('The email or password is incorrect').waitFor();
    await signIn(page, { ...ines, password: newPassword });
    await page.getByRole('textbox', { name: 'Message' }).waitFor();
  });
}
