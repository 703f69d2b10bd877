import { afterAll, beforeAll, expect, test } from '@jest/globals';
import { newId } from '@parley/platform/ids';
import { eventually } from '@parley/testing';
import { ParleyClient } from '@parley/testing/client';
import type { Browser, Page } from 'playwright-core';
import { newBrowserFor, openBrowser, type Person } from './browser.ts';
import { ines, noor } from './accounts.ts';
import type { Edition, Product } from './edition.ts';
import { report } from './report.ts';
import { signIn } from './sign-in.ts';
import { startSlowModel, type SlowModel } from './slow-model.ts';

/** From the invitation to a role that changes, the end in mid-answer and another beginning; both pages follow live. */
export function defineJoining(edition: Edition): void {
  let product: Product;
  let model: SlowModel;
  let browser: Browser;
  let owner: ParleyClient;
  let admin: Person;
  let member: Person;
  let mailed: string;
  beforeAll(async () => {
    model = await startSlowModel();
    product = await edition.start({ PARLEY_REGISTRATION: 'open', PARLEY_OUTBOUND_ALLOW: model.address });
    owner = new ParleyClient(product.url);
    await owner.register(ines);
    await owner.createOrganisation('Lindmoor');
    const slow = { name: 'Slow', baseUrl: model.url, models: ['slow-1'], defaultModel: 'slow-1', isDefault: true };
    await owner.call('POST /api/chat/providers', { body: { id: newId('provider'), ...slow } });
    browser = await openBrowser();
    [admin, member] = [await newBrowserFor(browser), await newBrowserFor(browser)];
  }, 180_000);
  afterAll(async () => {
    await browser?.close();
    await product?.close();
    model?.close();
  });

  const rowOf = (name: RegExp) => admin.page.getByRole('row', { name });
  const act = async (name: string) => {
    await admin.page.getByRole('button', { name: 'Actions for Noor Halvani' }).click();
    await admin.page.getByRole('menuitem', { name, exact: true }).click();
  };
  /** What a reload would have forgotten. */
  const mark = (page: Page) => page.evaluate('globalThis.isThatPage = true');
  const isThatPage = (page: Page) => page.evaluate('globalThis.isThatPage === true');

  test('a link that was copied is opened, and the members list of the admin says so', async () => {
    const { page } = admin;
    await page.goto(`${product.url}/en/settings/org_admin/${owner.orgId}?tab=members&invite=people`);
    await signIn(page, ines);
    await page.getByLabel('Email addresses').fill(noor.email);
    await page.keyboard.press('Enter');
    // There is no mail server: the dialog says so, and shows the link once.
    await page.getByText('Parley has no email server, so it sends no email.').waitFor();
    await page.getByRole('button', { name: 'Create 1 link' }).click();
    await page.getByRole('button', { name: `Copy the link for ${noor.email}` }).waitFor();
    const shown = await page.locator('[role=dialog] li bdi[title]').getAttribute('title');
    await page.getByRole('button', { name: 'Done' }).click();
    await rowOf(/noor@example/)
      .getByText('Not emailed')
      .waitFor();
    mailed = await eventually(() => product.linkMailedTo(noor.email, 'invitation'), 'a link should be kept');
    // One secret, wherever it is shown.
    expect(shown?.split('#')[1]).toBe(mailed.split('#')[1]);
    await member.page.goto(shown ?? '');
    await rowOf(/noor@example/)
      .getByText(/^Opened/)
      .waitFor();
  });

  test('who registers there is in, without a reload of either page', async () => {
    await mark(member.page);
    await mark(admin.page);
    await member.page.getByLabel('Your name').fill(noor.name);
    await member.page.getByLabel('Choose a password', { exact: true }).fill(noor.password);
    await member.page.getByRole('button', { name: 'Join Lindmoor' }).click();
    await member.page.getByRole('textbox', { name: 'Message' }).waitFor();
    expect(member.page.url()).toBe(`${product.url}/en/chat?org=lindmoor`);
    await rowOf(/Noor Halvani/)
      .getByText('Joined just now')
      .waitFor();
  });

  test('a role counts in the open tab: what it does not allow goes away, and comes back', async () => {
    const change = async (role: string) => {
      await act('Change role');
      await admin.page.getByLabel('Role', { exact: true }).last().selectOption(role);
      await admin.page.getByRole('button', { name: 'Change role' }).click();
    };
    const composer = member.page.getByRole('textbox', { name: 'Message' });
    await change('guest');
    await composer.waitFor({ state: 'detached' });
    await change('member');
    await composer.waitFor();
  });

  test('removed in mid-answer: the tab says so at once and shows nothing of the organisation', async () => {
    const { page } = member;
    await page.getByRole('textbox', { name: 'Message' }).fill('Count to four');
    await page.keyboard.press('Enter');
    await eventually(() => model.asked === 1, 'the model should be asked');
    model.say('one two ');
    await page.getByRole('article').last().getByText('one two').waitFor();
    await act('Remove');
    await admin.page.getByLabel('Reason').fill('Contract ended');
    await admin.page.getByRole('button', { name: 'Remove person' }).click();
    const removedAt = Date.now();
    await page.getByRole('heading', { name: 'You are no longer a member of Lindmoor' }).waitFor();
    report('removed in mid-answer: the tab says so', [Date.now() - removedAt]);
    expect(await page.getByText(/Count to four|one two|slow-1/).count()).toBe(0);
    await eventually(() => model.asked === 0, 'nobody should wait for more words');
    await rowOf(/Noor Halvani/).waitFor({ state: 'detached' });
    expect([await isThatPage(page), await isThatPage(admin.page)]).toEqual([true, true]);
    await page.getByRole('button', { name: 'Continue' }).click();
    await page.getByRole('heading', { name: 'Create your organisation' }).waitFor();
  });

  test('who is invited again finds the words that were there', async () => {
    const people = [{ id: newId('invitation'), email: noor.email }];
    const body = { people, role: 'member' as const, groupIds: [], message: null, locale: 'en' as const };
    await owner.call('POST /api/org/invitations', { body });
    const { page } = member;
    const another = await eventually(async () => {
      const newest = await product.linkMailedTo(noor.email, 'invitation');
      if (newest === mailed) throw new Error('not yet');
      return newest;
    }, 'another link should be mailed');
    await page.goto(another);
    await page.getByRole('button', { name: 'Join Lindmoor' }).click();
    await page.getByRole('link', { name: 'Count to four' }).click();
    await page.getByRole('article').last().getByText('one two').waitFor();
    expect([admin.complaints, member.complaints]).toEqual([[], []]);
  });
}
