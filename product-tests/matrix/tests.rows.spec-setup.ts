import { testRoutes, type ChatbotId, type ChatbotTest, type TestRunId } from '@parley/contracts';
import { newId } from '@parley/platform/ids';
import type { ParleyClient } from '@parley/testing/client';
import { rowsFor } from './rows.spec-setup.ts';

const content = {
  name: 'Tested',
  glyph: 'shield' as const,
  instructions: '',
  model: null,
  fallback: null,
  temperature: null,
  knowledge: { passages: 6, onlyFromDocuments: false, connectionIds: null },
  starters: [],
  audience: { kind: 'everybody' as const },
};
const test = { question: 'How many herons?', expects: { words: ['three'], passages: [] } };
const aTest = (owner: ParleyClient, chatbotId: ChatbotId): Promise<ChatbotTest> =>
  owner.call('POST /api/chat/chatbot-drafts/:chatbotId/tests', {
    params: { chatbotId },
    body: { id: newId('chatbotTest'), ...test },
  });
/** One with a test, which nobody else runs. */
async function aTested(owner: ParleyClient): Promise<ChatbotId> {
  const body = { id: newId('chatbot'), content };
  const { id } = await owner.call('POST /api/chat/chatbot-drafts', { body });
  await aTest(owner, id);
  return id;
}
let kept: { readonly chatbotId: ChatbotId; readonly test: ChatbotTest; readonly runId: TestRunId } | null = null;
async function aRun(owner: ParleyClient) {
  if (kept !== null) return kept;
  const chatbotId = await aTested(owner);
  const test = await aTest(owner, chatbotId);
  const body = { id: newId('testRun'), version: null };
  const run = { params: { chatbotId }, body };
  const { id: runId } = await owner.call('POST /api/chat/chatbot-drafts/:chatbotId/test-runs', run);
  return (kept = { chatbotId, test, runId });
}

export const testRows = rowsFor(testRoutes, {
  listTests: {
    things: 'organisation',
    request: async ({ owner }) => ({ params: { chatbotId: (await aRun(owner)).chatbotId } }),
    lists: { ids: () => [kept!.test.id], whose: 'organisation' },
  },
  createTest: {
    things: 'organisation',
    request: async ({ owner }) => ({
      params: { chatbotId: await aTested(owner) },
      body: { id: newId('chatbotTest'), ...test },
    }),
  },
  changeTest: {
    things: 'organisation',
    repeated: 409,
    request: async ({ owner }) => {
      const { id: testId, revision } = await aTest(owner, await aTested(owner));
      return { params: { testId }, body: { ...test, revision, question: 'And storks?' } };
    },
  },
  deleteTest: {
    things: 'organisation',
    repeated: 404,
    request: async ({ owner }) => ({ params: { testId: (await aTest(owner, await aTested(owner))).id } }),
  },
  setTestGate: {
    things: 'organisation',
    request: async ({ owner }) => ({
      params: { chatbotId: await aTested(owner) },
      body: { was: null, gate: { least: 1 } },
    }),
  },
  startTestRun: {
    things: 'organisation',
    request: async ({ owner }) => ({
      params: { chatbotId: await aTested(owner) },
      body: { id: newId('testRun'), version: null },
    }),
  },
  listTestRuns: {
    things: 'organisation',
    request: async ({ owner }) => ({ params: { chatbotId: (await aRun(owner)).chatbotId } }),
    lists: { ids: () => [kept!.runId], whose: 'organisation' },
  },
  getTestRun: {
    things: 'organisation',
    request: async ({ owner }) => ({ params: { runId: (await aRun(owner)).runId } }),
  },
  stopTestRun: {
    things: 'organisation',
    request: async ({ owner }) => ({ params: { runId: (await aRun(owner)).runId } }),
  },
});
