import { expect, it } from '@jest/globals';
import type { InvoiceId, Order } from '@parley/contracts';
import { screen } from '@testing-library/react';
import { installFakeApi, refuse, type Handlers } from '../../testing/fake-api.ts';
import { sampleOrder } from '../../testing/order-samples.ts';
import { renderInOrganisation } from '../../testing/render.tsx';
import { sampleIds } from '../../testing/samples.ts';
import { BillingSuccessPage } from './billing-success-page.tsx';

const ulid = (n: number) => String(n).padStart(26, '0');
const by = { userId: sampleIds.user, name: 'Ines Vardale' };
const long = '2026-01-21T10:41:00.000Z';
const placed: Order = { ...sampleOrder, placedAt: long };
const decided = { decidedBy: { ...by, name: 'Greta Solvain' }, decidedAt: long };
const invoice = { id: `ivc_${ulid(1)}` as InvoiceId, number: '2026-0031', dueOn: '2026-12-21' };

function show(
  answer: ReturnType<NonNullable<Handlers['GET /api/billing/orders/:orderId']>>,
  order: string = placed.id,
) {
  installFakeApi({ 'GET /api/billing/orders/:orderId': () => answer });
  renderInOrganisation(<BillingSuccessPage />, {
    path: '/:locale/settings/billing/success',
    at: `/en/settings/billing/success?order=${order}`,
  });
}

it('waits for an order that was just placed', async () => {
  show({ ...placed, placedAt: new Date().toISOString() });
  expect(await screen.findByRole('heading', { name: 'Waiting for billing to confirm' })).toBeInTheDocument();
  expect(screen.getByText('The limit rises by 100 seats')).toBeInTheDocument();
});

it('says who decides when it takes long', async () => {
  show(placed);
  expect(await screen.findByText(/A platform admin of this installation confirms orders/)).toBeInTheDocument();
});

it('waits until the seats are there, too', async () => {
  show({ ...placed, ...decided, state: 'confirmed', invoice });
  expect(await screen.findByRole('heading', { name: 'It takes a while' })).toBeInTheDocument();
  expect(screen.queryByText(/applied already/)).toBeNull();
});

it('opened again it says that all is done, once', async () => {
  show({ ...placed, ...decided, state: 'confirmed', invoice, raised: { before: 500, after: 600, at: long } });
  expect(await screen.findByRole('heading', { name: 'This order was applied already' })).toBeInTheDocument();
  expect(screen.getByText('500 → 600')).toBeInTheDocument();
  expect(screen.getByRole('link', { name: 'Invoice' })).toHaveAttribute('href', expect.stringContaining(invoice.id));
});

it('says why an order was refused, and by whom', async () => {
  show({ ...placed, ...decided, state: 'refused', refusal: 'No contract yet' });
  expect(await screen.findByText(/“No contract yet”, says Greta Solvain/)).toBeInTheDocument();
});

it.each(['billing.order-not-found', 'platform.invalid-request'] as const)(
  'shows nothing of others: %s',
  async (code) => {
    show(refuse(code), 'ord_foreign');
    expect(await screen.findByRole('heading', { name: 'Order not found' })).toBeInTheDocument();
  },
);

it('without an order there is none', async () => {
  show(placed, '');
  expect(await screen.findByRole('heading', { name: 'Order not found' })).toBeInTheDocument();
});
