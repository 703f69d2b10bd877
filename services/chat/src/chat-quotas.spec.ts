import { afterAll, beforeAll, expect, test } from '@jest/globals';
import { apartFromClients, newId } from '@parley/platform/ids';
import { Quotas } from '@parley/platform/quotas';
import type { OrgId } from '@parley/protocol';
import { describeCountedQuota } from '@parley/testing';
import { chatbotQuota, ChatbotsService, defaultChatbot } from './assistants/chatbots/index.ts';
import { connectionQuota, defaultConnectionIdOf } from './knowledge/connections/index.ts';
import { curatedAnswerQuota } from './knowledge/curated-answers/index.ts';
import { syncBench } from './testing/sync-bench.spec-setup.ts';
import { aViewer } from './testing/viewer.spec-setup.ts';

const bench = await syncBench();
const { mongo, work, clock } = bench;
const chatbots = new ChatbotsService(bench.chatbotRows, work, clock);
beforeAll(bench.ready);
afterAll(bench.end);

describeCountedQuota({ mongo, quota: 'connections', counted: [connectionQuota] }, async () => {
  const viewer = aViewer();
  const make = () => bench.create(viewer, { kind: 'upload' });
  const remove = ({ id: connectionId }: Awaited<ReturnType<typeof make>>) =>
    bench.service.delete({ ...viewer, params: { connectionId } } as never);
  return { scope: viewer.scope, make, remove };
});

describeCountedQuota({ mongo, quota: 'chatbots', counted: [chatbotQuota] }, async () => {
  const viewer = aViewer();
  const content = defaultChatbot(viewer.scope.orgId).draft;
  const make = () => chatbots.create({ ...viewer, body: { id: newId('chatbot'), content } } as never);
  const remove = ({ id: chatbotId }: Awaited<ReturnType<typeof make>>) =>
    chatbots.delete({ ...viewer, params: { chatbotId } } as never);
  return { scope: viewer.scope, make, remove };
});

describeCountedQuota({ mongo, quota: 'curatedAnswers', counted: [curatedAnswerQuota] }, async () => {
  const viewer = aViewer();
  const said = { questions: ['How much is it?'], text: 'It is €48.', chatbotId: null };
  const make = () => bench.curated.create({ ...viewer, body: { id: newId('curatedAnswer'), ...said } } as never);
  const remove = ({ id: curatedAnswerId }: Awaited<ReturnType<typeof make>>) =>
    bench.curated.delete({ ...viewer, params: { curatedAnswerId } } as never);
  return { scope: viewer.scope, make, remove };
});

/** One whose default connection is stored under another id than its own. */
function movedOrganisation(): OrgId {
  for (;;) {
    const orgId = newId('organisation');
    const id = defaultConnectionIdOf(orgId);
    if (apartFromClients(id) !== id) return orgId;
  }
}

test.each([
  ['as in most organisations', () => newId('organisation')],
  ['under another id', movedOrganisation],
])('what every organisation begins with takes no place, changed or not, stored %s', async (_name, anOrganisation) => {
  const viewer = aViewer(anOrganisation());
  const { scope } = viewer;
  const connectionId = defaultConnectionIdOf(scope.orgId);
  await bench.service.change({ ...viewer, params: { connectionId }, body: { version: 0, name: 'Files' } } as never);
  const { _id: chatbotId, draft: content } = defaultChatbot(scope.orgId);
  await chatbots.change({ ...viewer, params: { chatbotId }, body: { revision: 0, content } } as never);
  const quotas = new Quotas(mongo);
  for (const quota of ['connections', 'chatbots'] as const)
    expect(await quotas.show(scope, { quota, counted: [connectionQuota, chatbotQuota] })).toMatchObject({ used: 0 });
});
