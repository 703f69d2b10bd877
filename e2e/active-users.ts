import { afterAll, beforeAll, test } from '@jest/globals';
import { ParleyClient } from '@parley/testing/client';
import type { Browser, Page } from 'playwright-core';
import { newBrowserFor, openBrowser, type Person } from './browser.ts';
import { ines, joinByLink, noor } from './accounts.ts';
import type { Account, Edition, Product } from './edition.ts';
import { report } from './report.ts';
import { signIn } from './sign-in.ts';

/** An admin who watches who is active, and ends somebody's access. */
export function defineActiveUsers(edition: Edition): void {
  let product: Product;
  let browser: Browser;
  let admin: Person;
  let member: Person;
  beforeAll(async () => {
    product = await edition.start({ PARLEY_REGISTRATION: 'open' });
    const [owner, joining] = [new ParleyClient(product.url), new ParleyClient(product.url)];
    await owner.register(ines);
    await owner.createOrganisation('Lindmoor');
    await joining.register(noor);
    await joinByLink(owner, joining);
    browser = await openBrowser();
    [admin, member] = [await newBrowserFor(browser), await newBrowserFor(browser)];
  }, 180_000);
  afterAll(async () => {
    await browser?.close();
    await product?.close();
  });

  const comeIn = async ({ page }: Person, account: Account) => {
    await page.goto(`${product.url}/en`);
    await signIn(page, account);
    await page.getByRole('textbox', { name: 'Message' }).waitFor();
  };
  const rowOf = (page: Page) => page.getByRole('row', { name: /Noor Halvani/ });

  test('sees somebody who signs in', async () => {
    await comeIn(admin, ines);
    await admin.page.goto(`${product.url}/en/settings/active_users`);
    await rowOf(admin.page).getByText('Away').waitFor();
    await admin.page.locator('output[data-kind=live]').waitFor();
    await comeIn(member, noor);
    const here = Date.now();
    await rowOf(admin.page).getByText('Online').waitFor();
    report('somebody comes in: an admin sees it', [Date.now() - here]);
  });

  test('ends their access: their tab says so and why, and signing in again opens it', async () => {
    await admin.page.getByRole('button', { name: 'Actions for Noor Halvani' }).click();
    await admin.page.getByRole('menuitem', { name: 'End access now' }).click();
    await admin.page.getByLabel('Reason').fill('Lost laptop');
    await admin.page.getByRole('button', { name: 'End access' }).click();
    await member.page.getByText('Your access to Lindmoor was ended').waitFor();
    await member.page.getByText('Lost laptop').waitFor();
    await rowOf(admin.page).getByText('Away').waitFor();
    await member.page.getByRole('button', { name: 'Sign in again' }).click();
    await signIn(member.page, noor);
    await member.page.getByRole('textbox', { name: 'Message' }).waitFor();
    await rowOf(admin.page).getByText('Online').waitFor();
  });
}
