import { afterAll, beforeAll, expect, test } from '@jest/globals';
import { Sealer } from '@parley/platform/crypto';
import { newId } from '@parley/platform/ids';
import { jobScope } from '@parley/platform/mongo';
import { aPerson, testStore } from '@parley/testing';
import { EventStream } from '../event-stream/index.ts';
import { WebhookSender } from './webhook-sender.ts';
import { WebhooksRepository } from './webhooks.repository.ts';
import { WebhooksService } from './webhooks.service.ts';

const { mongo, work, clock, ready, recorded } = await testStore();
const host = '127.0.0.1:9';
const sender = new WebhookSender({ mayEverybodyTest: false, hasDsn: false, outboundAllow: [host] });
const sealer = new Sealer(Buffer.alloc(32, 1));
const stream = new EventStream(mongo, clock);
const parts = [new WebhooksRepository(mongo, stream), stream, sender, sealer, work, clock] as const;
const service = new WebhooksService(...parts);
beforeAll(ready);
afterAll(() => sender.onApplicationShutdown());

test('what is done with webhooks is told once, without the path of the address', async () => {
  const [orgId, id, principal] = [newId('organisation'), newId('webhook'), aPerson()];
  const given = (more: object) => ({ scope: jobScope('tests').in(orgId), principal, ...more }) as never;
  const url = `http://${host}/services/secret-token`;
  for (const _time of [1, 2]) await service.create(given({ body: { id, url, types: ['group.*'] } }));
  const change = { params: { webhookId: id }, body: { version: 1, url, types: ['role.*'], isOn: false } };
  await service.change(given(change));
  await expect(service.change(given(change))).rejects.toMatchObject({ code: 'platform.conflict' });
  await service.delete(given({ params: { webhookId: id } }));
  await expect(service.delete(given({ params: { webhookId: id } }))).rejects.toMatchObject({
    code: 'platform.not-found',
  });
  const told = await recorded();
  const [on, off] = [
    { host, types: ['group.*'], isOn: true },
    { host, types: ['role.*'], isOn: false },
  ];
  expect(told.map(({ data }) => data)).toEqual([
    { orgId, webhookId: id, by: principal.userId, before: null, after: on },
    { orgId, webhookId: id, by: principal.userId, before: on, after: off },
    { orgId, webhookId: id, by: principal.userId, before: off, after: null },
  ]);
  expect(JSON.stringify(told)).not.toContain('secret-token');
});
