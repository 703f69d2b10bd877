import type { Page } from 'playwright-core';

const feature = (name: string): string => `frontend/src/features/${name}`;

/** A picture of a page of the demo, taken light and dark. */
export type Picture = {
  readonly name: string;
  /** Below the language. `:chat`, `:project` and so on stand for ids of the demo. */
  readonly path: string;
  /** The folders that draw it: when one changes, lint calls the picture old. */
  readonly shows: readonly string[];
  /** Resolves once everything that the picture needs is on the page. */
  readonly until: (page: Page) => Promise<void>;
};

/** The small charts of live figures show the last minute. */
const figuresComeWithinMs = 20_000;
const text = (wanted: string | RegExp) => (page: Page) => page.getByText(wanted).first().waitFor();

/** README and docs show these; the names are those of the files in `docs/images`. */
export const pictures: readonly Picture[] = [
  {
    name: 'chat',
    path: 'chat/:chat?org=brightwater',
    shows: [feature('conversations'), 'frontend/src/app/shell'],
    until: async (page) => {
      await page
        .getByRole('button', { name: /^Show .* source/ })
        .first()
        .click();
      await page.getByRole('button', { name: 'Close sources' }).waitFor();
    },
  },
  {
    name: 'project',
    path: 'chat?org=brightwater&project=:project',
    shows: [feature('conversations/projects')],
    until: text('Name for the fleece'),
  },
  {
    name: 'documents',
    path: 'settings/data-connections?org=brightwater&connection=:connection',
    shows: [feature('documents')],
    until: text('Returns and warranty.md'),
  },
  {
    name: 'budgets',
    path: 'settings/billing?org=brightwater&tab=budgets',
    shows: [feature('billing/budgets')],
    until: text('Elin Berg'),
  },
  {
    name: 'live',
    path: 'settings/org-monitoring?org=brightwater&span=month',
    shows: [feature('org-monitoring')],
    until: async (page) => {
      await text('Grace Oduya')(page);
      await page.waitForTimeout(figuresComeWithinMs);
    },
  },
  {
    name: 'studio',
    path: 'settings/aiStudio-chatbot-settings?org=brightwater&bot=:chatbot',
    shows: [feature('ai-studio')],
    until: text('A zip broke after two years. What does the repair cost?'),
  },
];

/** Steps of the first hour, on an installation of their own. */
export const firstHour = {
  'first-hour-admin': [feature('register')],
  'first-hour-model': [feature('organisation-settings/models')],
  'first-hour-ask': [feature('conversations/talk'), feature('conversations/composer')],
  'first-hour-invite': [feature('organisation-settings/members')],
} as const;
