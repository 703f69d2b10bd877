import type { Page } from 'playwright-core';
import type { Account } from './edition.ts';

export async function signIn(page: Page, { email, password }: Account): Promise<void> {
  await page.getByLabel('Work email').fill(email);
  await page.getByLabel('Password', { exact: true }).fill(password);
  await page.getByRole('button', { name: 'Sign in' }).click();
}
