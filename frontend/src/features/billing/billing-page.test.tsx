import { describe, expect, it } from '@jest/globals';
import type { Budget, BudgetId, ChatbotId, Invoice, InvoiceId } from '@parley/contracts';
import type { UserId } from '@parley/protocol';
import { permissionsOf } from '@parley/contracts/permissions';
import { cleanup, screen, within } from '@testing-library/react';
import { userEvent } from '@testing-library/user-event';
import { installFakeApi, refuse, type Handlers } from '../../testing/fake-api.ts';
import { sampleBuyer, sampleOrder as order } from '../../testing/order-samples.ts';
import { renderInOrganisation } from '../../testing/render.tsx';
import { sampleIds } from '../../testing/samples.ts';
import { BillingPage } from './billing-page.tsx';

const ulid = (n: number) => String(n).padStart(26, '0');
const bot = `bot_${ulid(1)}` as ChatbotId;
const invoice: Invoice = {
  id: `ivc_${ulid(1)}` as InvoiceId,
  number: '2026-0031',
  orgId: sampleIds.org,
  orderId: order.id,
  issuedOn: '2026-11-21',
  dueOn: '2099-12-21',
  currency: 'EUR',
  seller: { name: 'Parley GmbH', address: ['Hafen 1'], taxNumber: null, payment: ['DE00 1234'] },
  buyer: sampleBuyer,
  reference: 'PO 7',
  lines: [{ seats: 100, months: 12, seatMinor: 820, from: '2026-11-21', until: '2027-11-20', amountMinor: 984_000 }],
  totalMinor: 984_000,
  paidMinor: 1_000_000,
  payments: [],
  version: 2,
};
const spent = (costMicros: number, attempts = 2, unpricedAttempts = 0) => ({
  attempts,
  unpricedAttempts,
  inputTokens: 1,
  outputTokens: 1,
  costMicros,
  utcMicros: 0,
});
const offer = {
  price: { seatMinor: 820, currency: 'EUR' },
  seller: 'Parley GmbH',
  seats: { used: 412, limit: 500 },
  buyer: sampleBuyer,
};

const thisMonth = new Date().toISOString().slice(0, 7);
const someSpend = {
  currency: 'EUR',
  timeZone: 'UTC',
  days: [{ day: `${thisMonth}-01`, ...spent(4_000_000) }],
  models: [
    { model: 'prv_1/large', ...spent(4_000_000) },
    { model: 'prv_1/unknown', ...spent(0, 5, 5) },
  ],
  chatbots: [
    { chatbotId: bot, ...spent(2_500_000) },
    { chatbotId: `bot_${ulid(9)}` as ChatbotId, ...spent(500_000) },
  ],
  isCut: false,
};
const noBudgets = { requests: [], people: [], currency: 'EUR', timeZone: 'UTC' };

function show(
  tab: string,
  handlers: Handlers = {},
  { permissions = permissionsOf('owner'), isPlatformAdmin = false } = {},
) {
  const api = installFakeApi({
    'GET /api/billing/seat-offer': () => offer,
    'GET /api/billing/budgets': () => ({ items: [], ...noBudgets }),
    'GET /api/billing/invoices': () => ({ items: [invoice], nextCursor: null }),
    'GET /api/billing/orders': () => ({ items: [order], nextCursor: null }),
    'GET /api/billing/spenders': () => ({
      items: [{ userId: `usr_${ulid(9)}` as UserId, name: null, pseudonym: null, ...spent(3_000_000) }],
      nextCursor: null,
      isHidden: false,
    }),
    'GET /api/billing/group-spend': () => ({
      items: [{ id: sampleIds.group, name: 'Grid control', ...spent(1_000_000) }],
      isCut: false,
    }),
    'GET /api/chat/chatbot-names': () => ({ items: [{ id: bot, name: 'Grid Engineer' }] }),
    'GET /api/billing/spend': () => someSpend,
    ...handlers,
  });
  renderInOrganisation(<BillingPage />, {
    path: '/:locale/settings/billing',
    at: `/en/settings/billing${tab}`,
    permissions,
    isPlatformAdmin,
  });
  return api;
}

const toPrices = '/en/settings/org_admin?tab=prices';

describe('a note about missing prices', () => {
  const noPrices: Handlers = {
    'GET /api/billing/budgets': () => ({ items: [], ...noBudgets, currency: null }),
    'GET /api/org/groups': () => ({ items: [] }),
    'GET /api/chat/models': () => ({ items: [], documentCount: 0, indexedAt: null }),
  };

  it.each([
    ['', /not in these sums/],
    ['?tab=budgets', /so budgets are in tokens/],
    ['?tab=budgets&budget=new', /Money needs prices/],
  ])('leads a platform admin to where prices are set at “%s”, and nobody else', async (tab, note) => {
    show(tab, noPrices, { isPlatformAdmin: true });
    await screen.findByText(note);
    for (const link of screen.getAllByRole('link', { name: 'Set prices' }))
      expect(link).toHaveAttribute('href', toPrices);
    cleanup();
    show(tab, noPrices);
    await screen.findByText(note);
    expect(screen.queryByRole('link', { name: 'Set prices' })).toBeNull();
  });
});

describe('the overview', () => {
  it('says by whose days money is added up, that answers are of UTC, and what is older', async () => {
    const days = [{ day: `${thisMonth}-01`, ...spent(4_000_000), utcMicros: 1_500_000 }];
    show('', { 'GET /api/billing/spend': () => ({ ...someSpend, timeZone: 'Europe/Berlin', days }) });
    expect(await screen.findByText(/Money is added up by days in .*Europe\/Berlin/)).toBeInTheDocument();
    expect(screen.getAllByRole('columnheader', { name: 'Answers (UTC)' })).not.toEqual([]);
    expect(screen.getByText(/€1.50 of this month is added up by days in UTC/)).toBeInTheDocument();
    await userEvent.click(screen.getByRole('button', { name: 'Show as table' }));
    expect(screen.getByText('by days in UTC')).toBeInTheDocument();
  });

  it('shows what was spent, by model and person, and what has no price as such', async () => {
    show('');
    const models = await screen.findByRole('region', { name: 'By model' });
    expect(within(models).getByRole('row', { name: /large.*100%.*€4.00/ })).toBeInTheDocument();
    expect(within(models).getByRole('row', { name: /unknown.*no price/ })).toBeInTheDocument();
    expect(screen.getByText(/5 answers are not in these sums.*unknown/)).toBeInTheDocument();
    expect(await screen.findByText('Former member')).toBeInTheDocument();
    const chatbots = await screen.findByRole('region', { name: 'By chatbot' });
    expect(within(chatbots).getByRole('row', { name: /Grid Engineer.*€2.50/ })).toBeInTheDocument();
    expect(within(chatbots).getByRole('row', { name: /not there any more.*€0.50/ })).toBeInTheDocument();
    const groups = await screen.findByRole('region', { name: 'By group' });
    expect(within(groups).getByRole('row', { name: /Grid control.*25%.*€1.00/ })).toBeInTheDocument();
    expect(screen.getByText('412 of 500')).toBeInTheDocument();
    expect(await screen.findByText('Paid, €160.00 credit')).toBeInTheDocument();
  });

  it('says what running answers hold and what is left of the budget of the organisation', async () => {
    const limits = { softLimit: null, hardLimit: 10_000_000, spent: 4_000_000, held: 1_500_000 };
    const months = { periodStart: '2026-11-01', resetsAt: '2026-12-01T00:00:00.000Z', version: 1 };
    const budget: Budget = {
      id: `bud_${ulid(1)}` as BudgetId,
      scope: { kind: 'organisation' },
      period: 'month',
      unit: 'money',
      ...limits,
      ...months,
    };
    show('', { 'GET /api/billing/budgets': () => ({ items: [budget], ...noBudgets }) });
    expect(await screen.findByText(/€1.50 held for running answers · €4.50 left/)).toBeInTheDocument();
  });

  it('says why it could not be loaded', async () => {
    show('', { 'GET /api/billing/spend': () => refuse('platform.internal') });
    expect(await screen.findByText('The spend could not be loaded')).toBeInTheDocument();
  });
});

it('shows no groups to whoever may not see them', async () => {
  const { calls } = show('', {}, { permissions: ['billing:read', 'member:read'] });
  expect(await screen.findByText('Former member')).toBeInTheDocument();
  expect(calls.some(({ route }) => route === 'GET /api/billing/group-spend')).toBe(false);
});

it('sets a budget from each of its tabs, as its primary action', async () => {
  show('');
  const [order, set] = [
    await screen.findByRole('button', { name: 'Order seats' }),
    screen.getByRole('button', { name: 'Set a budget' }),
  ];
  expect([order, set].map(({ dataset }) => dataset.variant)).toEqual(['default', 'filled']);
  await userEvent.click(set);
  expect(await screen.findByRole('complementary', { name: 'Set a budget' })).toBeInTheDocument();
  expect(screen.getByRole('link', { name: 'Budgets' })).toHaveAttribute('aria-current', 'page');
});

describe('an order', () => {
  it('is checked, shows its sum, and is sent once with what was seen', async () => {
    const { calls } = show('', { 'POST /api/billing/orders': () => ({ order, continueAt: null }) });
    await userEvent.click(await screen.findByRole('button', { name: 'Order seats' }));
    const seats = await screen.findByLabelText('More seats');
    await userEvent.type(seats, '-1.5');
    await userEvent.click(screen.getByRole('button', { name: 'Order on invoice' }));
    expect(screen.getByText('Enter a whole number from 1 to 10,000.')).toBeInTheDocument();
    await userEvent.clear(seats);
    await userEvent.type(seats, '100');
    expect(screen.getByText('€9,840.00', { selector: 'b' })).toBeInTheDocument();
    await userEvent.click(screen.getByRole('button', { name: 'Order on invoice' }));
    const [sent, ...others] = calls.filter(({ route }) => route === 'POST /api/billing/orders');
    expect(others).toEqual([]);
    expect(sent?.body).toMatchObject({ seats: 100, months: 12, seatMinor: 820, currency: 'EUR', buyer: sampleBuyer });
  });

  it.each([
    ['seats are not sold', { ...offer, price: null, seller: null }],
    ['there is no limit of seats', { ...offer, seats: { used: 412, limit: null } }],
  ])('is not offered where %s', async (_where, none) => {
    show('', { 'GET /api/billing/seat-offer': () => none });
    const seats = within(await screen.findByRole('region', { name: 'Seats' }));
    expect(await seats.findByText(/^412/)).toBeInTheDocument();
    expect(screen.queryByRole('button', { name: 'Order seats' })).toBeNull();
  });

  it('that waits can be withdrawn', async () => {
    const { calls } = show('?tab=orders', {
      'PUT /api/billing/orders/:orderId/withdrawal': () => ({ ...order, state: 'withdrawn' }),
    });
    await userEvent.click(await screen.findByRole('button', { name: 'Withdraw order' }));
    expect(calls.some(({ route }) => route === 'PUT /api/billing/orders/:orderId/withdrawal')).toBe(true);
  });
});

describe('an invoice', () => {
  it('has seller, buyer: sampleBuyer, lines and how to pay, on the page and on paper', async () => {
    show(`?tab=orders&invoice=${invoice.id}`, { 'GET /api/billing/invoices/:invoiceId': () => invoice });
    expect(await screen.findByRole('button', { name: 'Print invoice' })).toBeInTheDocument();
    expect(screen.getAllByText('2026-0031')).toHaveLength(2);
    expect(screen.getAllByText('DE00 1234')).toHaveLength(2);
    expect(screen.getAllByText('Seats from Nov 21, 2026 until Nov 20, 2027')).toHaveLength(2);
  });

  it('of somebody else is not found', async () => {
    show('?tab=orders&invoice=ivc_1', {
      'GET /api/billing/invoices/:invoiceId': () => refuse('billing.invoice-not-found'),
    });
    expect(await screen.findByText('Invoice not found')).toBeInTheDocument();
  });
});
