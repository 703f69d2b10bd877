import { eventually } from '@parley/testing/eventually';
import type { Browser } from 'playwright-core';
import { embeddedEdition } from '../embedded-edition.ts';
import { startSlowModel } from '../slow-model.ts';
import { openPage, take, type Scheme } from './take.ts';

const answer = `Three things make the first week easier:

1. **Laptop and accounts** are ready before Monday. Ask for them two weeks ahead.
2. **One person to ask**: name a colleague who keeps an hour free each day.
3. **A first task** that is done by Friday, such as writing down what was hard to find.

| Day | What happens |
|---|---|
| Monday | Welcome, laptop, lunch with the team |
| Wednesday | First task begins |
| Friday | Look back: what was missing? |`;

/** From the first account to the first invitation, on an empty installation: the pictures of the tutorial. */
export async function takeFirstHour(browser: Browser, scheme: Scheme): Promise<void> {
  const model = await startSlowModel('llama-3.3-70b');
  const product = await embeddedEdition.start({ PARLEY_OUTBOUND_ALLOW: model.address });
  const page = await openPage(browser, scheme);
  try {
    await product.letFirstAdminIn(
      page,
      { name: 'Ines Vardale', email: 'ines@lindmoor.example', password: 'three quiet herons' },
      () => take(page, `first-hour-admin-${scheme}`),
    );
    await page.getByLabel('Name of the organisation').fill('Lindmoor Energy');
    await page.getByRole('button', { name: 'Create organisation' }).click();
    await page.getByRole('textbox', { name: 'Message' }).waitFor();

    await page.goto(`${product.url}/en/settings/orgs`);
    await page.getByRole('link', { name: 'Organisation settings' }).click();
    await page.getByRole('link', { name: 'Models' }).click();
    await page.getByRole('button', { name: 'Add provider' }).first().click();
    await page.getByLabel('Name', { exact: true }).last().fill('Our model server');
    await page.getByLabel('Base URL').fill(model.url);
    await page.getByRole('button', { name: 'Test connection' }).click();
    await page.getByText('llama-3.3-70b').first().waitFor();
    await take(page, `first-hour-model-${scheme}`);
    await page.locator('form').getByRole('button', { name: 'Add provider' }).click();
    await page.getByRole('row', { name: /Our model server/ }).waitFor();

    await page.goto(`${product.url}/en/chat`);
    await page
      .getByRole('textbox', { name: 'Message' })
      .fill('How do I make the first week of a new colleague easier?');
    await page.keyboard.press('Enter');
    await eventually(() => model.asked === 1, 'the model should be asked');
    model.say(answer.slice(0, 200));
    await page.waitForTimeout(2_400);
    model.say(answer.slice(200));
    model.end();
    await page.getByRole('button', { name: 'Copy answer' }).waitFor();
    await take(page, `first-hour-ask-${scheme}`);

    await page.goto(`${product.url}/en/settings/orgs`);
    await page.getByRole('link', { name: 'Organisation settings' }).click();
    await page.getByRole('link', { name: 'Members' }).click();
    await page.getByRole('button', { name: 'Invite people' }).first().click();
    for (const email of ['noor@lindmoor.example', 'paulo@lindmoor.example']) {
      await page.getByLabel('Email addresses').fill(email);
      await page.keyboard.press('Enter');
    }
    await page.getByRole('button', { name: 'Create 2 links' }).waitFor();
    await take(page, `first-hour-invite-${scheme}`);
  } finally {
    await page.context().close();
    await product.close();
    model.close();
  }
}
