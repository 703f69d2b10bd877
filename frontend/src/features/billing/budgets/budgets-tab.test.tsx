import { describe, expect, it } from '@jest/globals';
import type { Budget, BudgetId, GroupId, ModelKey } from '@parley/contracts';
import type { UserId } from '@parley/protocol';
import { screen, waitFor, within } from '@testing-library/react';
import { userEvent } from '@testing-library/user-event';
import { installFakeApi, refuse, refuseOld, type Handlers } from '../../../testing/fake-api.ts';
import { renderInOrganisation } from '../../../testing/render.tsx';
import { sampleGroup, sampleIds, sampleModel } from '../../../testing/samples.ts';
import { BillingPage } from '../billing-page.tsx';

const ulid = (n: number) => String(n).padStart(26, '0');
const at = '2026-11-21T10:41:00.000Z';
const paulo = { userId: `usr_${ulid(5)}` as UserId, name: 'Paulo Tavermin' };
const budget = (n: number, over: Partial<Budget> = {}): Budget => ({
  id: `bud_${ulid(n)}` as BudgetId,
  scope: { kind: 'organisation' },
  period: 'month',
  unit: 'money',
  softLimit: 2_400_000_000,
  hardLimit: 3_000_000_000,
  spent: 2_184_600_000,
  held: 38_200_000,
  periodStart: '2026-11-01',
  countsFrom: '2026-11-05T09:00:00.000Z',
  resetsAt: '2026-11-30T23:00:00.000Z',
  version: 1,
  ...over,
});
const group = (id: GroupId): Budget['scope'] => ({ kind: 'group', id });
const ofPaulo = budget(3, {
  scope: { kind: 'person', id: paulo.userId },
  softLimit: 20_000_000,
  hardLimit: 25_000_000,
  spent: 24_000_000,
  held: 1_000_000,
  version: 4,
});
const request = { budgetId: ofPaulo.id, ...paulo, amount: 10_000_000, at };
const all = [
  ofPaulo,
  budget(2, { scope: group(sampleIds.group), unit: 'tokens', softLimit: 800, hardLimit: null, spent: 900, held: 0 }),
  budget(1),
];

function show(at: string, handlers: Handlers = {}, role: 'owner' | 'analyst' = 'owner') {
  const api = installFakeApi({
    'GET /api/billing/budgets': () => ({
      items: all,
      requests: [request],
      people: [paulo],
      currency: 'EUR',
      timeZone: 'Europe/Oslo',
    }),
    'GET /api/org/groups': () => ({ items: [{ ...sampleGroup, id: sampleIds.group }] }),
    'GET /api/chat/models': () => ({ items: [sampleModel], documentCount: 0, indexedAt: null }),
    ...handlers,
  });
  const place = { path: '/:locale/settings/billing', at: `/en/settings/billing?tab=budgets${at}` };
  renderInOrganisation(<BillingPage />, { ...place, role });
  const sent = (route: string) => api.calls.filter((call) => call.route === route).map(({ body }) => body);
  return { ...api, sent };
}

const none = { items: [], requests: [], people: [], currency: 'EUR', timeZone: 'UTC' };
const retype = async (label: string, text: string) => {
  const field = await screen.findByLabelText(label);
  await userEvent.clear(field);
  if (text) await userEvent.type(field, text);
};

describe('budgets', () => {
  it('stand with what is spent, held and left, the organisation first, and say in words how they are', async () => {
    show('');
    await screen.findByRole('button', { name: 'Service desk' });
    const rows = screen.getAllByRole('row').map(({ textContent }) => textContent);
    expect(rows[1]).toMatch(
      /^Lindmoor EnergyOrganisation, monthly, money, since Nov 5€2,184.6.*€38.2.*€777.2.*73%again on Dec 1/,
    );
    expect(rows[2]).toMatch(/^Service deskGroup, monthly, tokens, since Nov 59000–800–113%, warned/);
    expect(rows[3]).toMatch(/^Paulo TaverminPerson.*€0.*Stopped/);
    expect(rows[4]).toMatch(/^.?Paulo Tavermin.? asks for €10.* more/);
  });

  it('of what is gone are named so', async () => {
    const gone = [
      budget(1, { scope: group(`grp_${ulid(9)}` as GroupId) }),
      budget(2, { scope: { kind: 'person', id: `usr_${ulid(9)}` as UserId } }),
      budget(3, { scope: { kind: 'model', id: `prv_${ulid(9)}/large` as ModelKey } }),
    ];
    show('', { 'GET /api/billing/budgets': () => ({ ...none, items: gone }) });
    expect(await screen.findByText('Deleted group')).toBeInTheDocument();
    expect(screen.getByText('Former member')).toBeInTheDocument();
    expect(screen.getByText('large, not offered any more')).toBeInTheDocument();
  });

  it('are only read by whoever may not set them, who sees no other tab either', async () => {
    show(`&budget=${ofPaulo.id}`, {}, 'analyst');
    await screen.findByText(/Paulo Tavermin.? asks for/);
    expect(within(screen.getByRole('navigation')).getAllByRole('link')).toHaveLength(1);
    for (const name of ['Set a budget', 'Raise', 'Dismiss', 'Order seats', 'Lindmoor Energy'])
      expect(screen.queryByRole('button', { name })).toBeNull();
    expect(screen.queryByLabelText('Stop at')).toBeNull();
  });

  it('may be none, and say why they could not be loaded', async () => {
    show('', { 'GET /api/billing/budgets': () => refuse('platform.internal') });
    expect(await screen.findByText('The budgets could not be loaded')).toBeInTheDocument();
  });
});

describe('a new budget', () => {
  it('is checked and sent once', async () => {
    const { sent } = show('', { 'GET /api/billing/budgets': () => none, 'POST /api/billing/budgets': () => budget(1) });
    await userEvent.click(await screen.findByRole('button', { name: 'Set a budget' }));
    const panel = within(await screen.findByRole('complementary', { name: 'Set a budget' }));
    const save = () => userEvent.click(panel.getByRole('button', { name: 'Set a budget' }));
    await userEvent.selectOptions(panel.getByLabelText('Applies to'), 'group');
    await save();
    expect(panel.getByText('Choose whose budget it is.')).toBeInTheDocument();
    expect(panel.getByText('Enter where it stops, or where it warns.')).toBeInTheDocument();
    await userEvent.selectOptions(panel.getByLabelText('Group'), 'Service desk');
    await retype('Stop at', '-5');
    await retype('Warn at', '1,000');
    await save();
    expect(panel.getAllByText('Enter an amount above 0, such as 480.00.')).toHaveLength(2);
    await retype('Stop at', '480.50');
    await retype('Warn at', '481');
    await save();
    expect(panel.getByText('Warn before it stops: enter less.')).toBeInTheDocument();
    expect(sent('POST /api/billing/budgets')).toEqual([]);
    await retype('Warn at', '');
    await save();
    const scope = group(sampleIds.group);
    const limits = { softLimit: null, hardLimit: 480_500_000 };
    await waitFor(() =>
      expect(sent('POST /api/billing/budgets')).toMatchObject([
        { scope, period: 'month', unit: 'money', ...limits, startsWithSpent: true },
      ]),
    );
  });

  it('can leave out what was spent before', async () => {
    const { sent } = show('&budget=new', { 'POST /api/billing/budgets': () => budget(1) });
    await userEvent.click(await screen.findByRole('checkbox', { name: /^Include what was spent this month so far/ }));
    await retype('Stop at', '480');
    const panel = within(await screen.findByRole('complementary', { name: 'Set a budget' }));
    await userEvent.click(panel.getByRole('button', { name: 'Set a budget' }));
    await waitFor(() => expect(sent('POST /api/billing/budgets')).toMatchObject([{ startsWithSpent: false }]));
  });

  it('is in tokens while there are no prices, and says why', async () => {
    show('&budget=new', { 'GET /api/billing/budgets': () => ({ ...none, currency: null }) });
    expect(await screen.findByText(/Money needs prices/)).toBeInTheDocument();
    expect(screen.getByRole('option', { name: 'Money' })).toBeDisabled();
    expect(screen.getByLabelText('Unit')).toHaveValue('tokens');
  });
});

describe('a budget that is there', () => {
  it('is raised by what was asked for', async () => {
    const { sent } = show('', { 'PUT /api/billing/budgets/:budgetId': () => ofPaulo });
    await userEvent.click(await screen.findByRole('button', { name: 'Raise' }));
    expect(await screen.findByLabelText('Stop at')).toHaveValue('35.00');
    expect(screen.getByText('The person who asked for more can ask again.')).toBeInTheDocument();
    await userEvent.click(screen.getByRole('button', { name: 'Save budget' }));
    await waitFor(() => expect(screen.queryByLabelText('Stop at')).toBeNull());
    expect(sent('PUT /api/billing/budgets/:budgetId')).toEqual([
      { version: 4, softLimit: 20_000_000, hardLimit: 35_000_000 },
    ]);
  });

  it('shows what somebody else has saved meanwhile, and is replaced by saving again', async () => {
    let refused = false;
    const { sent } = show(`&budget=${ofPaulo.id}`, {
      'PUT /api/billing/budgets/:budgetId': () => {
        if (refused) return ofPaulo;
        refused = true;
        return refuseOld({ ...ofPaulo, softLimit: null, hardLimit: 50_000_000, version: 7 });
      },
    });
    await retype('Stop at', '30');
    await userEvent.click(screen.getByRole('button', { name: 'Save budget' }));
    expect(await screen.findByText(/Theirs: warn at none, stop at €50/)).toBeInTheDocument();
    expect(screen.getByLabelText('Stop at')).toHaveValue('30');
    await userEvent.click(screen.getByRole('button', { name: 'Save budget' }));
    await waitFor(() => expect(sent('PUT /api/billing/budgets/:budgetId')).toHaveLength(2));
    expect(sent('PUT /api/billing/budgets/:budgetId')[1]).toMatchObject({ version: 7, hardLimit: 30_000_000 });
  });

  it('is deleted once that was confirmed', async () => {
    const { sent } = show(`&budget=${ofPaulo.id}`, { 'DELETE /api/billing/budgets/:budgetId': () => undefined });
    await userEvent.click(await screen.findByRole('button', { name: 'Delete budget' }));
    expect(sent('DELETE /api/billing/budgets/:budgetId')).toEqual([]);
    const dialog = within(await screen.findByRole('dialog'));
    await userEvent.click(dialog.getByRole('button', { name: 'Delete budget' }));
    await waitFor(() => expect(sent('DELETE /api/billing/budgets/:budgetId')).toHaveLength(1));
  });

  it('that somebody else has deleted says so', async () => {
    show(`&budget=bud_${ulid(77)}`);
    expect(await screen.findByText(/This budget was deleted/)).toBeInTheDocument();
  });

  it('can be asked for in vain', async () => {
    const { calls } = show('', { 'DELETE /api/billing/budgets/:budgetId/requests/:userId': () => undefined });
    await userEvent.click(await screen.findByRole('button', { name: 'Dismiss' }));
    expect(calls.some(({ route }) => route === 'DELETE /api/billing/budgets/:budgetId/requests/:userId')).toBe(true);
  });
});
