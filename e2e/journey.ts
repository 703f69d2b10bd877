import { afterAll, beforeAll, expect, test } from '@jest/globals';
import { eventually } from '@parley/testing';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { Browser, Page } from 'playwright-core';
import { defineAttaching } from './attaching.ts';
import { defineBranching } from './branching.ts';
import { newBrowserFor, openBrowser, type Person } from './browser.ts';
import type { Account, Edition, Product } from './edition.ts';
import { defineMovingIn } from './moving-in.ts';
import { defineOrdering } from './ordering.ts';
import { signIn } from './sign-in.ts';
import { startSlowModel, type SlowModel } from './slow-model.ts';

const admin: Account = { name: 'Ines Vardale', email: 'ines@example.com', password: 'three quiet herons' };

/** From the first platform admin to a second browser. */
export function defineJourney(edition: Edition): void {
  let product: Product;
  let browser: Browser;
  let model: SlowModel;
  let ines: Person;
  const files = mkdtempSync(join(tmpdir(), 'parley-files-'));

  beforeAll(async () => {
    model = await startSlowModel();
    product = await edition.start({ PARLEY_OUTBOUND_ALLOW: model.address });
    browser = await openBrowser();
    ines = await newBrowserFor(browser);
  }, 180_000);
  afterAll(async () => {
    await browser?.close();
    await product?.close();
    model.close();
    rmSync(files, { recursive: true, force: true });
  });

  const lastAnswer = (page: Page) => page.getByRole('article').last();

  test('the first platform admin gets in and creates the first organisation', async () => {
    const { page } = ines;
    await product.letFirstAdminIn(page, admin);
    await page.getByLabel('Name of the organisation').fill('Lindmoor Energy');
    await page.getByRole('button', { name: 'Create organisation' }).click();
    await page.getByRole('textbox', { name: 'Message' }).waitFor();
    expect(page.url()).toMatch(/\/en\/chat\?org=lindmoor-energy$/);
  });

  test('an uploaded file becomes searchable while one looks at it', async () => {
    const { page } = ines;
    writeFileSync(
      join(files, 'leave-policy.md'),
      '# Leave\n\nEveryone has 30 days.\n\n## Carry-over\n\nUnused days carry over until the end of March.\n',
    );
    await page.goto(`${product.url}/en/settings/data-connections`);
    await page.locator('input[type=file]').first().setInputFiles(join(files, 'leave-policy.md'));
    await page
      .getByRole('row', { name: /leave-policy\.md/ })
      .getByText('Searchable')
      .waitFor();
  });

  test('the built-in assistant answers from it, and the citation opens the passage', async () => {
    const { page } = ines;
    await page.goto(`${product.url}/en/chat`);
    await page.getByRole('textbox', { name: 'Message' }).fill('When does carry-over end?');
    await page.keyboard.press('Enter');
    await lastAnswer(page).getByText('Unused days carry over until the end of March.').waitFor();
    await lastAnswer(page).getByRole('button', { name: 'Source 1' }).click();
    await page.locator('mark').getByText('Unused days carry over until the end of March.').waitFor();
    expect(page.url()).toMatch(/\/en\/chat\/cnv_[0-9A-Z]{26}/);
  });

  test('a model server is tested and connected on the organisation page', async () => {
    const { page } = ines;
    await page.goto(`${product.url}/en/settings/orgs`);
    await page.getByRole('link', { name: 'Organisation settings' }).click();
    await page.getByRole('link', { name: 'Models' }).click();
    await page.getByRole('button', { name: 'Add provider' }).first().click();
    await page.getByLabel('Name', { exact: true }).last().fill('Slow');
    await page.getByLabel('Base URL').fill(model.url);
    await page.getByRole('button', { name: 'Test connection' }).click();
    await page.getByText('slow-1').first().waitFor();
    await page.locator('form').getByRole('button', { name: 'Add provider' }).click();
    await page.getByRole('row', { name: /Slow/ }).waitFor();
  });

  test('a link by which people join is made in the members tab, shown once, and stands in the list', async () => {
    const { page } = ines;
    await page.getByRole('link', { name: 'Members' }).click();
    await page.getByText('Only you are here so far').waitFor();
    await page.getByRole('button', { name: 'Invite people' }).first().click();
    await page.getByText('By link').click();
    await page.getByLabel('Name of the link').fill('Field south');
    await page.getByRole('button', { name: 'Make link' }).click();
    const address = await page.getByLabel('Invitation link').inputValue();
    expect(address).toMatch(/^http.+\/en\/invitation#.{40,}$/);
    await page.getByRole('button', { name: 'Done' }).click();
    await page
      .getByRole('row', { name: /Field south/ })
      .getByText('0 of 10 places used')
      .waitFor();
  });

  test('a reload in mid-answer shows what was there and goes on; a second browser sees the same, live', async () => {
    const { page } = ines;
    await page.goto(`${product.url}/en/chat`);
    await page.getByRole('textbox', { name: 'Message' }).fill('Count to four');
    await page.keyboard.press('Enter');
    await eventually(() => model.asked === 1, 'the model should be asked');
    model.say('one ');
    await page.waitForURL(/\/en\/chat\/cnv_/);
    await lastAnswer(page).getByText('one').waitFor();
    model.say('two ');
    await lastAnswer(page).getByText('two').waitFor();
    await page.reload();
    await lastAnswer(page)
      .getByText(/one two/)
      .waitFor();

    const device = await newBrowserFor(browser);
    await device.page.goto(`${product.url}/en`);
    await signIn(device.page, admin);
    await device.page.getByRole('link', { name: /Count to four/ }).click();
    await lastAnswer(device.page)
      .getByText(/one two/)
      .waitFor();

    model.say('three ');
    await lastAnswer(page).getByText(/three/).waitFor();
    await lastAnswer(device.page).getByText(/three/).waitFor();
    const isMarked = [page, device.page].map((one) =>
      one.waitForResponse((response) => response.url().endsWith('/read')),
    );
    model.say('four.');
    model.end();
    await eventually(async () => {
      const [here, there] = [
        await lastAnswer(page).locator('p').first().textContent(),
        await lastAnswer(device.page).locator('p').first().textContent(),
      ];
      expect(here).toMatch(/^one two three four\.$/);
      expect(there).toBe(here);
    }, 'both should end with the same text');
    await lastAnswer(page).getByRole('button', { name: 'Copy answer' }).waitFor();
    // Either tab can be first; the other one is told.
    await Promise.any(isMarked);
    expect([device.complaints, [...device.liveTransports]]).toEqual([[], ['websocket']]);
    await device.context.close();
  });

  test('the keyboard goes from chat to menu to chat; the menu gives the focus back', async () => {
    const { page } = ines;
    // A chat that was left within half a second of its answer is unread: that depends on how quick the test was.
    const focused = () =>
      page.evaluate(
        '(document.activeElement.getAttribute("aria-label") ?? document.activeElement.textContent).replace(/Unread$/, "")',
      );
    await page.goto(`${product.url}/en/chat`);
    // The composer of a new chat takes the focus when it comes, after the side bar.
    await eventually(async () => expect(await focused()).toBe('Message'), 'the composer should have the focus');
    await page.getByRole('link', { name: 'Count to four' }).focus();
    const order: unknown[] = [];
    for (let step = 0; step < 3; step += 1) {
      order.push(await focused());
      await page.keyboard.press('Tab');
    }
    expect(order).toEqual(['Count to four', 'Actions for Count to four', 'When does carry-over end?']);
    expect(await focused()).toBe('Actions for When does carry-over end?');
    await page.keyboard.press('Enter');
    await page.getByRole('menuitem', { name: 'Rename chat' }).waitFor();
    const isInMenu = () => page.evaluate('document.activeElement.closest("[role=menu]") !== null');
    await eventually(async () => expect(await isInMenu()).toBe(true), 'the menu should have the focus');
    await page.keyboard.press('Escape');
    await eventually(
      async () => expect(await focused()).toBe('Actions for When does carry-over end?'),
      'the button should have the focus again',
    );
  });

  defineBranching(() => ({ url: product.url, page: ines.page, browser, model, account: admin }));
  const spaceIsFree = defineAttaching(() => ({ url: product.url, page: ines.page, model, account: admin }));

  test('search finds the message; delete is undone; signing out ends it', async () => {
    const { page } = ines;
    await page.keyboard.press('Control+k');
    await page
      .getByRole('combobox', { name: 'Search chats, documents and people, or go to a page' })
      .fill('carry-over');
    await page
      .getByRole('option', { name: /carry-over/i })
      .first()
      .click();
    await page.getByRole('heading', { name: 'When does carry-over end?' }).waitFor();
    await page.getByRole('button', { name: 'Chat actions' }).click();
    await page.getByRole('menuitem', { name: 'Delete chat' }).click();
    await page.getByRole('button', { name: 'Undo' }).click();
    await page.getByRole('link', { name: 'When does carry-over end?' }).waitFor();
    await page.getByRole('heading', { name: 'When does carry-over end?' }).waitFor();
    await page.getByRole('button', { name: /Ines Vardale/ }).click();
    await page.getByRole('menuitem', { name: 'Sign out', exact: true }).click();
    await page.getByRole('button', { name: 'Sign in' }).waitFor();
    expect(page.url()).toBe(`${product.url}/en`);
  });

  test('a tab whose session was ended elsewhere says so, and comes back to its page', async () => {
    const { page } = ines;
    await signIn(page, admin);
    await page.getByRole('link', { name: 'When does carry-over end?' }).click();
    await page.locator('output[data-kind]').getByText('Live').waitFor();
    const device = await newBrowserFor(browser);
    await device.page.goto(`${product.url}/en`);
    await signIn(device.page, admin);
    await device.page.getByRole('button', { name: /Ines Vardale/ }).click();
    await device.page.getByRole('menuitem', { name: 'Sign out everywhere' }).click();
    await page.getByText('You signed out everywhere, in another tab or on another device.').waitFor();
    expect(await page.getByText(/You were signed out at \d\d:\d\d\./).count()).toBe(1);
    await signIn(page, admin);
    await page.getByRole('heading', { name: 'When does carry-over end?' }).waitFor();
    await device.context.close();
  });

  test('Arabic is right to left, and a page that does not exist says so', async () => {
    const visitor = await newBrowserFor(browser, { locale: 'ar-EG', width: 360 });
    await visitor.page.goto(product.url);
    await eventually(() => expect(visitor.page.url()).toBe(`${product.url}/ar`), 'the locale should be Arabic');
    expect(await visitor.page.locator('html').getAttribute('dir')).toBe('rtl');
    const width = await visitor.page.evaluate('document.documentElement.scrollWidth');
    expect(width).toBeLessThanOrEqual(360);
    await visitor.context.close();
  });

  test('a visitor who asks for the chat loads what signing in needs, and nothing of the chat', async () => {
    const { context, page: visiting } = await newBrowserFor(browser);
    const loaded: string[] = [];
    visiting.on('request', (request) => void loaded.push(new URL(request.url()).pathname));
    await visiting.goto(`${product.url}/en/chat`);
    await visiting.getByRole('button', { name: 'Sign in', exact: true }).waitFor();
    expect(loaded.filter((path) => /sign-in-page/.test(path))).not.toEqual([]);
    expect(loaded.filter((path) => /conversations-page|signed-in-/.test(path))).toEqual([]);
    await context.close();
  });

  test('the space of the deleted files is free', () => spaceIsFree());

  defineOrdering(() => ({ url: product.url, page: ines.page }));
  defineMovingIn(() => ({ url: product.url, page: ines.page, browser, account: admin }));

  test('no page complained in the console, and what was live came by websocket alone', () => {
    expect([ines.complaints, [...ines.liveTransports]]).toEqual([[], ['websocket']]);
  });

  test('whoever stands behind a balancer had a part in it', async () => {
    expect(await product.idleProcesses()).toEqual([]);
  });
}
