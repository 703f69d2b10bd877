import { expect } from '@jest/globals';
import type { ModelKey } from '@parley/contracts';
import { lastEvents, startMockProvider, token } from '@parley/embedded/test-parley';
import { newId } from '@parley/platform/ids';
import { eventually } from '@parley/testing';
import type { ParleyClient } from '@parley/testing/client';
import type { Scene } from '../matrix/scene.spec-setup.ts';
import { rows, type Act } from './act.spec-setup.ts';

/** A budget of the member, who has asked nothing yet, that the first answer takes over its soft limit. */
const aBudget = ({ world: { owner } }: Scene, member: ParleyClient) =>
  owner.call('POST /api/billing/budgets', {
    body: {
      id: newId('budget'),
      scope: { kind: 'person', id: member.me!.id },
      period: 'month',
      unit: 'tokens',
      softLimit: 1,
      hardLimit: null,
    },
  });

/** A model whose answers take 8 tokens: those of the built-in assistant take none. */
async function aCountingModel({ world: { owner } }: Scene) {
  const mock = await startMockProvider((_request, response) => {
    response.setHeader('content-type', 'text/event-stream').end(`${token('In March.')}${lastEvents(5, 3)}`);
  });
  await owner.call('POST /api/chat/allowed-addresses', { body: { address: mock.address } });
  const [id, models] = [newId('provider'), ['m']];
  const body = { id, name: 'Counting', baseUrl: mock.url, models, defaultModel: 'm', isDefault: false };
  await owner.call('POST /api/chat/providers', { body });
  return { model: `${id}/m` as ModelKey, close: () => mock.close() };
}

/** A source where nobody listens: its sync starts, and fails. */
const aSource = ({ world: { owner } }: Scene) =>
  owner.call('POST /api/chat/connections', {
    body: {
      id: newId('connection'),
      name: newId('connection'),
      source: { kind: 'web', start: 'page', address: 'http://127.0.0.1:9/', below: '/', depth: 0, pages: 1 },
      audience: { kind: 'everybody' },
      schedule: 'manual',
    },
  });

export const chatActs = {
  'conversation.erased.v1': rows('eraseConversation'),
  'project.changed.v1': rows(
    'createProject',
    'updateProject',
    'deleteProject',
    'restoreProject',
    'addProjectFile',
    'removeProjectFile',
  ),
  'conversation.moved.v1': rows('moveConversations'),
  'queue.changed.v1': rows('addToQueue', 'editQueued', 'withdrawQueued'),
  'files.changed.v1': rows('uploadFile'),
  'exports.changed.v1': rows('createExport', 'deleteExport'),
  'imports.changed.v1': rows('createImport', 'stopImport'),
  'feedback.changed.v1': rows('rateAnswer', 'changeFeedback', 'answerFeedback', 'withdrawFeedback'),
  'feedback.noted.v1': rows('rateAnswer', 'answerFeedback'),
  'answer.curated.v1': rows('createCuratedAnswer', 'changeCuratedAnswer', 'deleteCuratedAnswer'),
  'providers.changed.v1': rows('createProvider', 'updateProvider', 'deleteProvider'),
  'titles.configured.v1': rows('setTitleSetting'),
  'chatbot.changed.v1': rows('createChatbot', 'changeChatbotDraft', 'publishChatbot', 'deleteChatbot'),
  'chatbot.tests-changed.v1': rows('createTest', 'changeTest', 'deleteTest', 'startTestRun'),
  'chatbot.gate-changed.v1': rows('setTestGate'),
  'document.changed.v1': rows('uploadDocument', 'replaceDocument', 'deleteDocument', 'eraseDocument'),
  'connection.changed.v1': rows('createConnection', 'changeConnection', 'deleteConnection'),
  'connection.synced.v1': [
    {
      does: 'has a source synced',
      prepare: async (scene) => {
        const params = { connectionId: (await aSource(scene)).id };
        return () => scene.world.owner.call('POST /api/chat/connections/:connectionId/sync', { params });
      },
    },
  ],
  'budget.changed.v1': rows('createBudget', 'changeBudget', 'deleteBudget'),
  'budget.threshold-crossed.v1': [
    {
      does: 'the member gets an answer beyond a soft limit',
      prepare: async (scene: Scene, member: ParleyClient) => {
        const { model, close } = await aCountingModel(scene);
        await aBudget(scene, member);
        return async () => {
          await member.send(newId('conversation'), 'When does carry over end?', { model });
          await eventually(async () => {
            const { items } = await member.call('GET /api/billing/my-budgets');
            expect(items.map(({ spent }) => spent)).toContain(8);
          }, 'its tokens should be counted');
          close();
        };
      },
    },
  ],
  'budget.raise-requested.v1': rows('askForBudget'),
  'budget.request-dismissed.v1': [
    {
      does: 'dismisses what somebody asks for',
      prepare: async ({ world: { owner } }: Scene) => {
        const budgetId = newId('budget');
        const scope = { kind: 'person' as const, id: owner.me!.id };
        const limits = { period: 'week' as const, unit: 'tokens' as const, softLimit: 1_000_000, hardLimit: null };
        await owner.call('POST /api/billing/budgets', { body: { id: budgetId, scope, ...limits } });
        await owner.call('POST /api/billing/budget-requests', { body: { budgetId, amount: 500 } });
        const params = { budgetId, userId: owner.me!.id };
        return () => owner.call('DELETE /api/billing/budgets/:budgetId/requests/:userId', { params });
      },
    },
  ],
} satisfies Record<string, readonly Act[]>;
