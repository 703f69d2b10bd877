import { beforeAll } from '@jest/globals';
import { Sealer } from '@parley/platform/crypto';
import { newId } from '@parley/platform/ids';
import { jobScope } from '@parley/platform/mongo';
import { aPerson, describeCountedQuota, testStore } from '@parley/testing';
import { EventStream } from '../event-stream/index.ts';
import type { WebhookSender } from './webhook-sender.ts';
import { webhookQuota } from './webhook-quota.ts';
import { WebhooksRepository } from './webhooks.repository.ts';
import { WebhooksService } from './webhooks.service.ts';

const { mongo, work, clock, ready } = await testStore();
const sealer = new Sealer(Buffer.alloc(32, 1));
const anyAddress = { check: async () => {} } as unknown as WebhookSender;
const stream = new EventStream(mongo, clock);
const service = new WebhooksService(new WebhooksRepository(mongo, stream), stream, anyAddress, sealer, work, clock);
beforeAll(ready);

describeCountedQuota({ mongo, quota: 'webhooks', counted: [webhookQuota] }, async () => {
  const scope = jobScope('tests').in(newId('organisation'));
  const by = { scope, principal: aPerson() };
  const body = { url: 'https://hooks.example.com/', types: ['group.*'] };
  const make = () => service.create({ ...by, body: { id: newId('webhook'), ...body } } as never);
  const remove = ({ webhook }: Awaited<ReturnType<typeof make>>) =>
    service.delete({ ...by, params: { webhookId: webhook.id } } as never);
  return { scope, make, remove };
});
