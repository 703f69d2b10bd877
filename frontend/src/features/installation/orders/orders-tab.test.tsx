import { expect, it } from '@jest/globals';
import type { InvoiceId } from '@parley/contracts';
import { screen, waitFor, within } from '@testing-library/react';
import { userEvent } from '@testing-library/user-event';
import { installFakeApi } from '../../../testing/fake-api.ts';
import { sampleOrder as order } from '../../../testing/order-samples.ts';
import { renderInOrganisation } from '../../../testing/render.tsx';
import { InstallationPage } from '../installation-page.tsx';

const ulid = (n: number) => String(n).padStart(26, '0');

it('writes an invoice only after a question that names its amount', async () => {
  const decision = 'PUT /api/billing/all-orders/:orderId/decision';
  const { calls } = installFakeApi({
    'GET /api/billing/all-orders': () => ({ items: [order], nextCursor: null }),
    [decision]: () => ({
      ...order,
      state: 'confirmed',
      invoice: { id: `inv_${ulid(1)}` as InvoiceId, number: '2026-0001', dueOn: '2026-12-21' },
    }),
  });
  const path = '/:locale/settings/org_admin';
  renderInOrganisation(<InstallationPage />, { path, at: '/en/settings/org_admin?tab=orders' });
  const sent = () => calls.filter(({ route }) => route === decision).map(({ body }) => body);
  await userEvent.click(await screen.findByRole('button', { name: /^Confirm/ }));
  const dialog = within(await screen.findByRole('dialog', { name: /^Confirm the order of .?Lindmoor Energy/ }));
  expect(dialog.getByText(/^An invoice for €9,840\.00 is issued/)).toBeInTheDocument();
  await userEvent.click(dialog.getByRole('button', { name: 'Cancel' }));
  expect(sent()).toEqual([]);
  await userEvent.click(await screen.findByRole('button', { name: /^Confirm/ }));
  await userEvent.click(await screen.findByRole('button', { name: 'Confirm order' }));
  await waitFor(() => expect(sent()).toEqual([{ version: 1, decision: 'confirmed' }]));
});
