import { completionRoutes } from '@parley/contracts';
import { newId } from '@parley/platform/ids';
import type { ParleyClient } from '@parley/testing/client';
import { plain, rowsFor } from './rows.spec-setup.ts';

let made: string | null = null;
/** One on the built-in assistant: the provider of the scene leads nowhere. */
async function modelOf(owner: ParleyClient): Promise<string> {
  if (made !== null) return made;
  const { items } = await owner.call('GET /api/chat/chatbot-drafts', {});
  const params = { chatbotId: items.find(({ isDefault }) => isDefault)!.id };
  const { content } = await owner.call('GET /api/chat/chatbot-drafts/:chatbotId', { params });
  const body = { id: newId('chatbot'), content: { ...content, name: 'For programs', model: 'builtin' as never } };
  const { id: chatbotId, revision } = await owner.call('POST /api/chat/chatbot-drafts', { body });
  const published = { params: { chatbotId }, body: { revision, note: '' } };
  await owner.call('POST /api/chat/chatbot-drafts/:chatbotId/publish', published);
  return (made = chatbotId);
}

export const completionRows = rowsFor(completionRoutes, {
  listCompletionModels: {
    request: async ({ owner }) => (await modelOf(owner), {}),
    lists: { ids: () => [made!], whose: 'organisation' },
  },
  getCompletionModel: {
    things: 'organisation',
    request: async ({ owner }) => ({ params: { model: await modelOf(owner) } }),
  },
  createCompletion: {
    things: 'organisation',
    request: async ({ owner }) => ({
      body: { model: await modelOf(owner), messages: [{ role: 'user', content: 'When does carry over end?' }] },
    }),
  },
  getOpenApi: plain,
});
