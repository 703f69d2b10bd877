import { expect, it } from '@jest/globals';
import type { DayUsage } from '@parley/contracts';
import { screen, within } from '@testing-library/react';
import { userEvent } from '@testing-library/user-event';
import { installFakeApi, refuse, type Handlers } from '../../testing/fake-api.ts';
import { renderInOrganisation } from '../../testing/render.tsx';
import { SettingsPage } from './settings-page.tsx';

const route = 'GET /api/billing/my-usage';
const row = (more: Partial<DayUsage>): DayUsage => ({
  day: '2026-10-07',
  model: 'builtin',
  inputTokens: 1_000,
  outputTokens: 200,
  answers: 2,
  ...more,
});

function show(days: DayUsage[], { handlers = {}, month = '2026-10' }: { handlers?: Handlers; month?: string } = {}) {
  const asked: string[] = [];
  installFakeApi({
    [route]: ({ query }) => {
      asked.push(query.month);
      return { days, isCut: false };
    },
    ...handlers,
  });
  renderInOrganisation(<SettingsPage />, { path: '/:locale/settings', at: `/en/settings?tab=usage&month=${month}` });
  return asked;
}

it('adds up the month, by day and by model', async () => {
  const asked = show([row({}), row({ day: '2026-10-08', model: 'prv_1/glm-5', inputTokens: 300, answers: 1 })]);
  expect(await screen.findByText('1.7K')).toBeInTheDocument();
  expect(asked).toEqual(['2026-10']);
  expect(screen.getByText('October 7: 1,200 tokens')).toBeInTheDocument();
  expect(screen.getByText('October 9: 0 tokens')).toBeInTheDocument();
  const models = within(screen.getByRole('region', { name: 'By model' }));
  const rows = models.getAllByRole('row').slice(1);
  expect(rows.map(({ textContent }) => textContent)).toEqual([
    'Built-in assistant71%21,200',
    'glm-529%1500',
    'All models31,700',
  ]);
});

it('shows the days as a table, those on which something was used', async () => {
  show([row({})]);
  await userEvent.click(await screen.findByRole('button', { name: 'Show as table' }));
  const days = within(screen.getByRole('region', { name: 'Tokens by day' }));
  expect(days.getAllByRole('row').map(({ textContent }) => textContent)).toEqual([
    'DayAnswersReadWritten',
    'Oct 721,000200',
  ]);
});

it('goes from month to month', async () => {
  const asked = show([row({})]);
  await userEvent.click(await screen.findByRole('button', { name: 'One month earlier' }));
  expect(await screen.findByRole('heading', { name: 'September 2026' })).toBeInTheDocument();
  expect(asked).toContain('2026-09');
});

it('says that nothing was used', async () => {
  show([]);
  expect(await screen.findByText('No usage in this month')).toBeInTheDocument();
});

it('says that it could not be loaded', async () => {
  show([], { handlers: { [route]: () => refuse('platform.internal') } });
  expect(await screen.findByText('Your usage could not be loaded')).toBeInTheDocument();
});
