import { webhookRoutes, type Webhook } from '@parley/contracts';
import { newId } from '@parley/platform/ids';
import { eventually } from '@parley/testing';
import type { ParleyClient } from '@parley/testing/client';
import { rowsFor } from './rows.spec-setup.ts';

// Where nobody listens: what is told there fails and waits.
const place = { url: 'http://127.0.0.1:9/hook', types: ['group.*'] };
let listed = '';
/** An organisation may have few. */
async function aWebhook(owner: ParleyClient): Promise<Webhook> {
  const { items } = await owner.call('GET /api/monitoring/webhooks');
  if (items.length >= 9) {
    const oldest = items.findLast(({ id }) => id !== listed)!;
    await owner.call('DELETE /api/monitoring/webhooks/:webhookId', { params: { webhookId: oldest.id } });
  }
  const { webhook } = await owner.call('POST /api/monitoring/webhooks', { body: { id: newId('webhook'), ...place } });
  return webhook;
}
async function aDelivery(owner: ParleyClient) {
  const { id: webhookId } = await aWebhook(owner);
  const params = { webhookId };
  const { eventId } = await owner.call('POST /api/monitoring/webhooks/:webhookId/test', { params });
  await eventually(async () => {
    const { items } = await owner.call('GET /api/monitoring/webhooks/:webhookId/deliveries', { params });
    return items.some(({ lastFailure }) => lastFailure === 'no-answer');
  }, 'it should have been tried');
  return { webhookId, eventId };
}

export const webhookRows = rowsFor(webhookRoutes, {
  listWebhooks: {
    request: async ({ owner }) => {
      listed = (await aWebhook(owner)).id;
      return {};
    },
    lists: { ids: () => [listed], whose: 'organisation' },
  },
  createWebhook: {
    request: async ({ owner }) => {
      await aWebhook(owner);
      return { body: { id: newId('webhook'), ...place } };
    },
  },
  changeWebhook: {
    things: 'organisation',
    repeated: 409,
    request: async ({ owner }) => {
      const { id: webhookId, version } = await aWebhook(owner);
      return { params: { webhookId }, body: { version, ...place, isOn: false } };
    },
  },
  deleteWebhook: {
    things: 'organisation',
    repeated: 404,
    request: async ({ owner }) => ({ params: { webhookId: (await aWebhook(owner)).id } }),
  },
  testWebhook: {
    things: 'organisation',
    request: async ({ owner }) => ({ params: { webhookId: (await aWebhook(owner)).id } }),
  },
  listDeliveries: {
    things: 'organisation',
    lists: null,
    request: async ({ owner }) => ({ params: { webhookId: (await aDelivery(owner)).webhookId } }),
  },
  redeliver: { things: 'organisation', request: async ({ owner }) => ({ params: await aDelivery(owner) }) },
});
