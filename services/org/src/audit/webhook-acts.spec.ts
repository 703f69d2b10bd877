import { expect, test } from '@jest/globals';
import { newId } from '@parley/platform/ids';
import { asked, founded, orgSetup, tests } from '../org.spec-setup.ts';
import { WebhookActsConsumer } from './webhook-acts.consumer.ts';

const setup = await orgSetup();
const { audit, people, work } = setup;
const consumer = new WebhookActsConsumer(audit, people);

test('what is done with webhooks stands in the audit log: by whom, where to, and what it is told', async () => {
  const { orgId, owner } = await founded(setup);
  const webhookId = newId('webhook');
  const time = '2026-11-21T10:42:00.000Z';
  const [on, off] = [
    { host: 'hooks.example.com', types: ['group.*'], isOn: true },
    { host: 'hooks.example.com', types: ['group.*'], isOn: false },
  ];
  for (const [before, after] of [
    [null, on],
    [on, off],
    [off, null],
  ]) {
    const data = { orgId, webhookId, by: owner.userId, before, after };
    await work.run(owner, (tx) => consumer.write({ data, time } as never, { tx, scope: tests.in(orgId) } as never));
  }
  const { items } = await audit.list(asked(owner, { query: { limit: 50, target: webhookId } }));
  expect(items.map(({ act, before, after }) => [act, before, after])).toEqual([
    ['webhook.deleted', off, null],
    ['webhook.changed', on, off],
    ['webhook.created', null, on],
  ]);
  expect(items[0]).toMatchObject({ at: time, actor: { userId: owner.userId }, target: { name: 'hooks.example.com' } });
});
