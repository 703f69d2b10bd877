import { expect, it } from '@jest/globals';
import type { ModelKey, Rate, RateId } from '@parley/contracts';
import type { UserId } from '@parley/protocol';
import { screen, waitFor, within } from '@testing-library/react';
import { userEvent } from '@testing-library/user-event';
import { installFakeApi, Refusal, type Handlers } from '../../../testing/fake-api.ts';
import { renderInOrganisation } from '../../../testing/render.tsx';
import { sampleModel } from '../../../testing/samples.ts';
import { InstallationPage } from '../installation-page.tsx';

const rate: Rate = {
  id: `rat_${'1'.padStart(26, '0')}` as RateId,
  host: null,
  model: 'gpt-4o',
  inputMicros: 2_500_000,
  outputMicros: 10_000_000,
  cachedMicros: 75_000,
  validFrom: '2026-11-21T10:41:00.000Z',
  validUntil: null,
  by: { userId: `usr_${'1'.padStart(26, '0')}` as UserId, name: 'Greta Solvain' },
  endedBy: null,
  version: 1,
};

function show(items: Rate[], handlers: Handlers = {}) {
  const currency = items.length > 0 ? 'EUR' : null;
  const api = installFakeApi({ 'GET /api/billing/rates': () => ({ items, nextCursor: null, currency }), ...handlers });
  renderInOrganisation(<InstallationPage />, {
    path: '/:locale/settings/org_admin',
    at: '/en/settings/org_admin?tab=prices',
  });
  return api;
}

it('says that answers are unpriced while there are no prices', async () => {
  show([]);
  expect(await screen.findByText('No prices yet')).toBeInTheDocument();
  expect(screen.getByText(/its answers are counted as unpriced/)).toBeInTheDocument();
});

it('lists prices for a million tokens, and ends one by the version that was seen', async () => {
  const { calls } = show([rate], { 'PATCH /api/billing/rates/:rateId': () => ({ ...rate, version: 2 }) });
  expect(await screen.findByRole('cell', { name: '€2.50' })).toBeInTheDocument();
  expect(screen.getByRole('cell', { name: '€0.075' })).toBeInTheDocument();
  await userEvent.click(screen.getByRole('button', { name: /gpt-4o/ }));
  await userEvent.click(await screen.findByRole('button', { name: 'End price' }));
  expect(calls.find(({ route }) => route.startsWith('PATCH'))?.body).toEqual({ version: 1, validUntil: null });
});

it('tries a table first, names the wrong lines, and takes only what was tried', async () => {
  const tries: unknown[] = [];
  show([], {
    'POST /api/billing/rates/import': ({ body: { csv, isDryRun, currency } }) => {
      tries.push([currency, isDryRun]);
      const faults = csv.endsWith('x') ? [{ line: 2, fault: 'price' as const }] : [];
      return { isDone: !isDryRun && faults.length === 0, added: 1, ended: 0, unchanged: 0, faults };
    },
  });
  await userEvent.click(await screen.findByRole('button', { name: 'Import prices' }));
  const field = await screen.findByLabelText('Table (CSV)');
  await userEvent.type(field, 'm,,1,1,,,x');
  await userEvent.click(screen.getByRole('button', { name: 'Check' }));
  expect(await screen.findByText(/Line 2: a price is missing/)).toBeInTheDocument();
  await userEvent.type(field, '{Backspace}');
  await userEvent.click(screen.getByRole('button', { name: 'Check' }));
  await userEvent.click(await screen.findByRole('button', { name: 'Add 1 price' }));
  expect(tries).toEqual([
    ['EUR', true],
    ['EUR', true],
    ['EUR', false],
  ]);
});

it('adds one price from now on, and replaces one that holds only when asked again', async () => {
  const sent: unknown[] = [];
  show([rate], {
    'GET /api/chat/models': () => ({ items: [], documentCount: 0, indexedAt: null }),
    'POST /api/billing/rates': ({ body }) => {
      sent.push(body);
      if (body.replaces === null) return new Refusal('billing.rate-overlaps', { current: rate });
      return rate;
    },
  });
  await userEvent.click(await screen.findByRole('button', { name: 'Add price' }));
  const panel = within(await screen.findByRole('complementary', { name: 'Add price' }));
  await userEvent.type(panel.getByLabelText('Model'), 'gpt-4o');
  await userEvent.type(panel.getByLabelText(/^Input/), '2,25');
  await userEvent.type(panel.getByLabelText(/^Output/), 'free');
  await userEvent.click(panel.getByRole('button', { name: 'Add price' }));
  expect(sent).toEqual([]);
  await userEvent.clear(panel.getByLabelText(/^Output/));
  await userEvent.type(panel.getByLabelText(/^Output/), '9');
  await userEvent.click(panel.getByRole('button', { name: 'Add price' }));
  await userEvent.click(await panel.findByRole('button', { name: 'Replace price' }));
  await waitFor(() => expect(sent).toHaveLength(2));
  const wanted = {
    model: 'gpt-4o',
    host: null,
    inputMicros: 2_250_000,
    outputMicros: 9_000_000,
    cachedMicros: 2_250_000,
  };
  expect(sent).toMatchObject([
    { ...wanted, replaces: null },
    { ...wanted, replaces: rate.id },
  ]);
});

const priced = { ...sampleModel, key: `prv_${'7'.padStart(26, '0')}/atlas-8b` as ModelKey, label: 'atlas-8b' };

it('prices a connected model chosen from the list, or another one by its name', async () => {
  const sent: unknown[] = [];
  show([], {
    'GET /api/chat/models': () => ({ items: [priced], documentCount: 0, indexedAt: null }),
    'POST /api/billing/rates': ({ body }) => {
      sent.push(body.model);
      return new Refusal('billing.other-currency', {});
    },
  });
  await userEvent.click(await screen.findByRole('button', { name: 'Add price' }));
  const panel = within(await screen.findByRole('complementary', { name: 'Add price' }));
  const models = await panel.findByRole('combobox', { name: 'Model' });
  await userEvent.selectOptions(models, 'atlas-8b');
  for (const label of [/^Input/, /^Output/]) await userEvent.type(panel.getByLabelText(label), '2');
  await userEvent.click(panel.getByRole('button', { name: 'Add price' }));
  await waitFor(() => expect(sent).toEqual(['atlas-8b']));
  await userEvent.selectOptions(models, 'Another model…');
  await userEvent.type(panel.getByRole('textbox', { name: 'Name of the model' }), 'o3');
  await userEvent.click(panel.getByRole('button', { name: 'Add price' }));
  await waitFor(() => expect(sent).toEqual(['atlas-8b', 'o3']));
});
