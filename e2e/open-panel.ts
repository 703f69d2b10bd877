import type { Page } from 'playwright-core';

export type Panel = {
  readonly title: string;
  /** Below `frontend/src`. */
  readonly file: string;
  /** Below the locale; `:org` and the like are of the scene. */
  readonly path: string;
  readonly open: (page: Page) => Promise<void>;
  /** A note on a page is in its `main`. */
  readonly role: 'dialog' | 'complementary' | 'main';
  /** The button that ends it: the primary one, or the one that closes what has none. */
  readonly end: string | RegExp;
  /** Set if a wide window doesn't have it, or shows nothing else. */
  readonly only?: 'small' | undefined;
};

export const click =
  (...names: readonly (string | RegExp)[]) =>
  async (page: Page): Promise<void> => {
    for (const name of names)
      await page.locator('main, [role=dialog], aside').getByRole('button', { name }).first().click();
  };
export const menu = (of: string | RegExp, item: string) => async (page: Page) => {
  await page.getByRole('button', { name: of }).first().click();
  await page.getByRole('menuitem', { name: item, exact: true }).click();
};
/** One after the other. */
export const steps =
  (...all: readonly Panel['open'][]): Panel['open'] =>
  async (page) => {
    for (const step of all) await step(page);
  };
/** Fills a field of the open dialog. */
export const fill = (label: string | RegExp, text: string) => async (page: Page) =>
  page.getByRole('dialog').getByLabel(label).fill(text);
/** Presses a button of the open dialog. */
export const press = (name: string | RegExp) => async (page: Page) =>
  page.getByRole('dialog').getByRole('button', { name, exact: true }).click();
/** The first on a window of 360 px, where columns and buttons fold; the second on a wide one. */
export const atSmall =
  (small: Panel['open'], wide: Panel['open']): Panel['open'] =>
  (page) =>
    (page.viewportSize()!.width < 700 ? small : wide)(page);
/** The first pseudonym, and what is clicked then. */
export const person =
  (...names: readonly string[]) =>
  async (page: Page): Promise<void> => {
    await page
      .getByText(/^P-[0-9A-F]{4}$/)
      .first()
      .click();
    await click(...names)(page);
  };
/** On a window of 360 px there is one role at a time. */
export const ofRole =
  (role: string, ...names: readonly (string | RegExp)[]) =>
  async (page: Page): Promise<void> => {
    await page.getByLabel('Role', { exact: true }).selectOption(role);
    await click(...names)(page);
  };

export const close = 'Close panel';
export const org = 'settings/org_admin/:org';
export const members = `${org}?tab=members`;
export const webhooks = `${org}?tab=webhooks`;
export const roles = 'settings/permissions?tab=roles';
export const groups = 'settings/permissions?tab=groups';
export const answers = 'settings/feedback?tab=answers';
export const budgets = 'settings/billing?tab=budgets';
export const connection = 'settings/data-connections?connection=:connection';
export const settings = 'organisation-settings';
export const lena = 'Actions for Lena Ort';

/** Its file is below `features`, or begins with `ui/`. */
export type Row = readonly [
  title: string,
  file: string,
  path: string,
  open: Panel['open'],
  end: Panel['end'],
  only?: Panel['only'],
];
