import { expect, it } from '@jest/globals';
import { outsideTypes, typesNamed, type Delivery, type Webhook, type WebhookId } from '@parley/contracts';
import type { EventId } from '@parley/protocol';
import { screen, within } from '@testing-library/react';
import { userEvent } from '@testing-library/user-event';
import { installFakeApi, refuse, type Handlers } from '../../../testing/fake-api.ts';
import { renderInOrganisation } from '../../../testing/render.tsx';
import { sampleIds } from '../../../testing/samples.ts';
import { OrganisationSettingsPage } from '../organisation-settings-page.tsx';
import { eventGroups, groupsOf, typesOf, typesOfGroup } from './webhook-words.ts';

const hook: Webhook = {
  id: sampleIds.org.replace('org_', 'whk_') as WebhookId,
  url: 'https://board.example/hook',
  types: ['budget.*', 'role.changed.v1'],
  state: 'on',
  version: 3,
  createdAt: '2026-11-21T14:06:57.723Z',
  createdBy: { userId: sampleIds.user, name: 'Ines Vardale' },
};
const failed: Delivery = {
  eventId: sampleIds.org.replace('org_', 'evt_') as EventId,
  type: 'budget.changed.v1',
  state: 'dead',
  attempts: 8,
  lastStatus: 500,
  lastFailure: 'status',
  createdAt: '2026-11-21T14:06:57.723Z',
  nextAt: null,
};
function show(items: Webhook[], handlers: Handlers = {}) {
  installFakeApi({ 'GET /api/monitoring/webhooks': () => ({ items, nextCursor: null }), ...handlers });
  renderInOrganisation(<OrganisationSettingsPage />, {
    path: '/:locale/settings/org_admin/:orgId',
    at: `/en/settings/org_admin/${sampleIds.org}?tab=webhooks`,
  });
}

it('offers every event that programs are told of, once', () => {
  const offered = eventGroups.flatMap((group) => typesOfGroup[group]).flatMap(typesNamed);
  expect(offered.toSorted()).toEqual(outsideTypes.toSorted());
});

it('keeps single types that a program has named', () => {
  const { groups, others } = groupsOf(hook.types);
  expect([groups, others]).toEqual([['budgets'], ['role.changed.v1']]);
  expect(typesOf({ groups, others })).toEqual(hook.types);
});

it('makes one, and shows its secret this once', async () => {
  const sent: unknown[] = [];
  show([], {
    'POST /api/monitoring/webhooks': ({ body }) => {
      sent.push(body);
      return { webhook: hook, secret: 'whsec_abc' };
    },
  });
  await screen.findByText('No webhooks yet');
  await userEvent.click(screen.getByRole('button', { name: 'Add webhook' }));
  const dialog = within(await screen.findByRole('dialog'));
  await userEvent.click(dialog.getByRole('button', { name: 'Add webhook' }));
  expect(dialog.getByText('Choose at least one.')).toBeInTheDocument();
  await userEvent.type(dialog.getByLabelText('Address'), 'https://board.example/hook');
  await userEvent.click(dialog.getByLabelText('Members and invitations'));
  await userEvent.click(dialog.getByRole('button', { name: 'Add webhook' }));
  expect(await screen.findByDisplayValue('whsec_abc')).toBeInTheDocument();
  expect(sent).toMatchObject([{ url: 'https://board.example/hook', types: ['membership.*', 'invitation.*'] }]);
});

it('says at the address what is wrong with it', async () => {
  show([], { 'POST /api/monitoring/webhooks': () => refuse('platform.address-not-allowed') });
  await userEvent.click(await screen.findByRole('button', { name: 'Add webhook' }));
  const dialog = within(await screen.findByRole('dialog'));
  await userEvent.type(dialog.getByLabelText('Address'), 'https://10.0.0.8/');
  await userEvent.click(dialog.getByLabelText('Budgets'));
  await userEvent.click(dialog.getByRole('button', { name: 'Add webhook' }));
  expect(await dialog.findByText(/needs a public address/)).toBeInTheDocument();
});

it('says how deliveries went, and sends one again', async () => {
  const again: unknown[] = [];
  show([hook], {
    'GET /api/monitoring/webhooks/:webhookId/deliveries': () => ({ items: [failed], nextCursor: null }),
    'POST /api/monitoring/webhooks/:webhookId/deliveries/:eventId/redeliver': ({ params }) => {
      again.push(params);
      return { ...failed, state: 'waiting', attempts: 0, nextAt: failed.createdAt };
    },
  });
  expect(await screen.findByText(/^Budgets, \u2066role\.changed\.v1\u2069$/)).toBeInTheDocument();
  await userEvent.click(screen.getByRole('button', { name: /Deliveries/ }));
  const dialog = within(await screen.findByRole('dialog'));
  expect(await dialog.findByText(/Its server answered 500/)).toBeInTheDocument();
  await userEvent.click(dialog.getByRole('button', { name: 'Send again' }));
  expect(again).toEqual([{ webhookId: hook.id, eventId: failed.eventId }]);
});

it('turns one off by the version that was seen, and deletes one after asking', async () => {
  const changed: unknown[] = [];
  show([hook], {
    'PUT /api/monitoring/webhooks/:webhookId': ({ body }) => {
      changed.push(body);
      return { ...hook, state: 'off', secret: null };
    },
    'DELETE /api/monitoring/webhooks/:webhookId': ({ params }) => void changed.push(params),
  });
  await userEvent.click(await screen.findByRole('button', { name: /Change/ }));
  await userEvent.click(await screen.findByRole('checkbox', { name: 'On' }));
  await userEvent.click(screen.getByRole('button', { name: 'Save' }));
  await screen.findByRole('button', { name: /Delete/ });
  expect(changed).toEqual([{ version: 3, url: hook.url, types: hook.types, isOn: false }]);
  await userEvent.click(screen.getByRole('button', { name: /Delete/ }));
  const dialog = within(await screen.findByRole('dialog'));
  await userEvent.click(dialog.getByRole('button', { name: 'Delete webhook' }));
  expect(changed[1]).toEqual({ webhookId: hook.id });
});
