import { afterAll, beforeAll, expect, test } from '@jest/globals';
import { newId } from '@parley/platform/ids';
import { eventually } from '@parley/testing';
import { ParleyClient } from '@parley/testing/client';
import type { Browser } from 'playwright-core';
import { newBrowserFor, openBrowser, type Person } from './browser.ts';
import type { Account, Edition, Product } from './edition.ts';
import { report } from './report.ts';
import { signIn } from './sign-in.ts';
import { startSlowModel, type SlowModel } from './slow-model.ts';

const operator: Account = { name: 'Ines Vardale', email: 'ines@example.com', password: 'three quiet herons' };
const member: Account = { name: 'Noor Halvani', email: 'noor@example.com', password: 'three quiet herons' };

/** A platform admin suspends an organisation in mid-answer, and lets it go on. */
export function defineSuspension(edition: Edition): void {
  let product: Product;
  let model: SlowModel;
  let browser: Browser;
  let admin: Person;
  let owner: Person;
  let client: ParleyClient;
  beforeAll(async () => {
    model = await startSlowModel();
    product = await edition.start({ PARLEY_REGISTRATION: 'open', PARLEY_OUTBOUND_ALLOW: model.address });
    browser = await openBrowser();
    [admin, owner] = [await newBrowserFor(browser), await newBrowserFor(browser)];
    await product.letFirstAdminIn(admin.page, operator);
    await admin.page.getByLabel('Name of the organisation').fill('Operators');
    await admin.page.getByRole('button', { name: 'Create organisation' }).click();
    await admin.page.getByRole('textbox', { name: 'Message' }).waitFor();
    client = new ParleyClient(product.url);
    await client.register(member);
    await client.createOrganisation('Fennick Clinics');
    const slow = { name: 'Slow', baseUrl: model.url, models: ['slow-1'], defaultModel: 'slow-1', isDefault: true };
    await client.call('POST /api/chat/providers', { body: { id: newId('provider'), ...slow } });
  }, 180_000);
  afterAll(async () => {
    await browser?.close();
    await product?.close();
    model?.close();
  });

  test('the open tab says so and why at once, the running answer ends, and the door is shut', async () => {
    const { page } = owner;
    await page.goto(`${product.url}/en`);
    await signIn(page, member);
    await page.getByRole('textbox', { name: 'Message' }).fill('Count to four');
    await page.keyboard.press('Enter');
    await eventually(() => model.asked === 1, 'the model should be asked');
    model.say('one two ');
    await page.getByRole('article').last().getByText('one two').waitFor();
    await admin.page.goto(`${product.url}/en/settings/org_admin/${client.orgId}`);
    await admin.page.getByRole('button', { name: 'Suspend', exact: true }).click();
    await admin.page.getByLabel('Reason').fill('Unpaid since May');
    await admin.page.getByRole('button', { name: 'Suspend organisation' }).click();
    const suspendedAt = Date.now();
    await page.getByRole('heading', { name: 'Fennick Clinics is suspended' }).waitFor();
    await page.getByText('Unpaid since May').waitFor();
    report('suspended in mid-answer: the tab says why', [Date.now() - suspendedAt]);
    await eventually(() => model.asked === 0, 'nobody should wait for more words');
    expect((await client.raw('GET', '/api/chat/conversations')).status).toBe(403);
  });

  test('it goes on without a reload, with the words that were there', async () => {
    await owner.page.evaluate('globalThis.isThatPage = true');
    await admin.page.getByRole('button', { name: 'Resume', exact: true }).click();
    await owner.page.getByRole('heading', { name: 'Fennick Clinics is suspended' }).waitFor({ state: 'detached' });
    await owner.page.getByRole('article').last().getByText('one two').waitFor();
    expect(await owner.page.evaluate('globalThis.isThatPage === true')).toBe(true);
  });
}
