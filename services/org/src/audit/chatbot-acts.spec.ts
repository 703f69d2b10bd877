import { expect, test } from '@jest/globals';
import { newId } from '@parley/platform/ids';
import { asked, founded, orgSetup, tests } from '../org.spec-setup.ts';
import { ChatbotActsConsumer } from './chatbot-acts.consumer.ts';

const setup = await orgSetup();
const { audit, people, work } = setup;
const consumer = new ChatbotActsConsumer(audit, people);

test('how many tests have to pass stands in the audit log, with what it was', async () => {
  const { orgId, owner } = await founded(setup);
  const chatbotId = newId('chatbot');
  const data = { orgId, chatbotId, by: owner.userId, name: 'Grid Engineer', before: null, least: 19 };
  const time = '2026-11-24T04:20:00.000Z';
  await work.run(owner, (tx) => consumer.writeGate({ data, time } as never, { tx, scope: tests.in(orgId) } as never));
  const { items } = await audit.list(asked(owner, { query: { limit: 50, target: chatbotId } }));
  expect(items).toMatchObject([
    { act: 'chatbot.gate-changed', before: { testsToPass: null }, after: { testsToPass: 19 } },
  ]);
});

test('what is published and deleted of chatbots stands in the audit log, drafts do not', async () => {
  const { orgId, owner } = await founded(setup);
  const chatbotId = newId('chatbot');
  const time = '2026-11-24T04:20:00.000Z';
  const told = { orgId, chatbotId, by: owner.userId, name: 'Grid Engineer', note: '' };
  for (const data of [
    { ...told, change: 'draft', version: null },
    { ...told, change: 'published', version: 1, note: 'Shorter' },
    { ...told, change: 'deleted', version: 1 },
  ])
    await work.run(owner, (tx) => consumer.write({ data, time } as never, { tx, scope: tests.in(orgId) } as never));
  const { items } = await audit.list(asked(owner, { query: { limit: 50, target: chatbotId } }));
  expect(items.map(({ act, after, reason }) => [act, after, reason])).toEqual([
    ['chatbot.deleted', null, null],
    ['chatbot.published', { version: 1 }, 'Shorter'],
  ]);
  expect(items[0]).toMatchObject({ at: time, actor: { userId: owner.userId }, target: { name: 'Grid Engineer' } });
});
