import { expect, it } from '@jest/globals';
import type { BudgetId, DayUsage, NameRevealId } from '@parley/contracts';
import type { UserId } from '@parley/protocol';
import { screen, within } from '@testing-library/react';
import { userEvent } from '@testing-library/user-event';
import { installFakeApi, refuse, type Handlers } from '../../../testing/fake-api.ts';
import { memberNoor } from '../../../testing/people-samples.ts';
import { renderInOrganisation } from '../../../testing/render.tsx';
import { SettingsPage } from '../settings-page.tsx';

const route = 'GET /api/billing/my-usage';
const row = (more: Partial<DayUsage>): DayUsage => ({
  day: '2026-10-07',
  model: 'builtin',
  inputTokens: 1_000,
  outputTokens: 200,
  answers: 2,
  costMicros: 0,
  unpricedAttempts: 0,
  ...more,
});

type Shown = { handlers?: Handlers; month?: string; currency?: string | null };

function show(days: DayUsage[], { handlers = {}, month = '2026-10', currency = null }: Shown = {}) {
  const asked: string[] = [];
  installFakeApi({
    [route]: ({ query }) => {
      asked.push(query.month);
      return { days, isCut: false, currency };
    },
    'GET /api/billing/my-budgets': () => ({ items: [], currency, timeZone: 'UTC', raisers: [] }),
    'GET /api/monitoring/my-name-reveals': () => ({ items: [], nextCursor: null }),
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

it('shows what it has cost, by day and by model, where anything has a price', async () => {
  const priced = row({ model: 'prv_1/glm-5', costMicros: 3_000_000 });
  show([row({}), priced, row({ model: 'prv_1/free', unpricedAttempts: 2 })], { currency: 'EUR' });
  expect(await screen.findByText('October 7: €3.00')).toBeInTheDocument();
  expect(screen.getByText('2 without a price are not in it')).toBeInTheDocument();
  const models = within(screen.getByRole('region', { name: 'By model' }));
  expect(models.getAllByRole('row').map(({ textContent }) => textContent)).toEqual([
    'ModelShare of costAnswersTokensCost',
    'glm-5100%21,200€3.00',
    'Built-in assistant0%21,200€0.00',
    'free0%21,200no price',
    'All models63,600€3.00',
  ]);
  const byDay = within(screen.getByRole('region', { name: 'Cost by day' }));
  await userEvent.click(byDay.getByRole('button', { name: 'Show as table' }));
  expect(byDay.getAllByRole('row').map(({ textContent }) => textContent)).toEqual(['DayAnswersCost', 'Oct 76€3.00']);
});

it('shows what bounds me, and what is left of the next one to stop, of others the share only', async () => {
  const budget = {
    id: `bud_${'0'.repeat(26)}` as BudgetId,
    scope: { kind: 'person' as const, id: memberNoor.userId as UserId },
    period: 'month' as const,
    unit: 'money' as const,
    softLimit: 24_000_000,
    hardLimit: 40_000_000,
    spent: 18_420_000,
    held: 30_000,
    periodStart: '2026-11-01',
    countsFrom: '2026-11-05T09:00:00.000Z',
    resetsAt: '2026-12-01T00:00:00.000Z',
    version: 1,
    hasAsked: false,
  };
  const ofOrganisation = {
    ...budget,
    id: `bud_${'1'.repeat(26)}` as BudgetId,
    scope: { kind: 'organisation' as const },
    softLimit: null,
    hardLimit: null,
    spent: null,
    held: null,
    share: { usedPercent: 88, stops: true, isWarned: true, isUsedUp: false },
  };
  const now = new Date().toISOString();
  const handlers: Handlers = {
    'GET /api/billing/my-budgets': () => ({
      items: [budget, ofOrganisation],
      currency: 'EUR',
      timeZone: 'UTC',
      raisers: [],
    }),
  };
  show([row({ day: now.slice(0, 10) })], { handlers, month: now.slice(0, 7), currency: 'EUR' });
  const part = within(await screen.findByRole('region', { name: 'Your budget' }));
  const facts = part.getAllByRole('term').map((term) => `${term.textContent} ${term.nextElementSibling?.textContent}`);
  expect(facts).toEqual([
    'Spent €18.42',
    'Held €0.03',
    'Told at €24.00',
    'Stops at €40.00',
    'Left €21.55',
    'Counted since Nov 5',
    'Resets Dec 1',
    'Left 12%',
    'Counted since Nov 5',
    'Resets Dec 1',
  ]);
  expect(screen.getByText('of €40.00, your own budget')).toBeInTheDocument();
});

it('says who has asked for my name, why and until when, also in a month without usage', async () => {
  const reveal = {
    id: `nrv_${'0'.repeat(26)}` as NameRevealId,
    by: 'Ines Vardale',
    reason: 'Spend doubled',
    at: '2026-11-21T10:42:00.000Z',
    until: '2026-11-22T10:42:00.000Z',
  };
  const handlers = { 'GET /api/monitoring/my-name-reveals': () => ({ items: [reveal], nextCursor: null }) };
  show([], { handlers });
  const part = within(await screen.findByRole('region', { name: 'Who sees this' }));
  expect(await part.findByText(/Ines Vardale.* asked for your name: .*Spend doubled/)).toBeInTheDocument();
});

it('says that nobody has, and that it could not be loaded', async () => {
  show([]);
  expect(await screen.findByText('Nobody has asked for your name.')).toBeInTheDocument();
  expect(screen.getByText('No budget bounds what you use here.')).toBeInTheDocument();
});

it('goes on without who has asked, where that could not be loaded', async () => {
  show([row({})], { handlers: { 'GET /api/monitoring/my-name-reveals': () => refuse('platform.internal') } });
  expect(await screen.findByText(/Who has asked for your name could not be loaded/)).toBeInTheDocument();
  expect(screen.getByText('1.2K')).toBeInTheDocument();
});
