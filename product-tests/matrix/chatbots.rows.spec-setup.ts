import { chatbotRoutes, type ChatbotDraft, type ChatbotId } from '@parley/contracts';
import { newId } from '@parley/platform/ids';
import type { ParleyClient } from '@parley/testing/client';
import { rowsFor } from './rows.spec-setup.ts';

const content = {
  name: 'Grid Engineer',
  glyph: 'bolt' as const,
  instructions: 'You help {{person.name}}.',
  model: null,
  fallback: null,
  temperature: null,
  knowledge: { passages: 6, onlyFromDocuments: false, connectionIds: null },
  starters: [],
  audience: { kind: 'everybody' as const },
};
const aChatbot = (owner: ParleyClient): Promise<ChatbotDraft> =>
  owner.call('POST /api/chat/chatbot-drafts', { body: { id: newId('chatbot'), content } });
/** One that everybody may use. */
let published: ChatbotId | null = null;
async function aPublished(owner: ParleyClient): Promise<ChatbotId> {
  if (published !== null) return published;
  const { id: chatbotId, revision } = await aChatbot(owner);
  const body = { revision, note: 'First' };
  await owner.call('POST /api/chat/chatbot-drafts/:chatbotId/publish', { params: { chatbotId }, body });
  return (published = chatbotId);
}

export const chatbotRows = rowsFor(chatbotRoutes, {
  listChatbots: {
    request: async ({ owner }) => {
      await aPublished(owner);
      return {};
    },
    lists: { ids: () => [published!], whose: 'organisation' },
  },
  listChatbotNames: {
    request: async ({ owner }) => {
      await aPublished(owner);
      return {};
    },
    lists: { ids: () => [published!], whose: 'organisation' },
  },
  listChatbotDrafts: {
    request: async ({ owner }) => {
      await aPublished(owner);
      return {};
    },
    lists: { ids: () => [published!], whose: 'organisation' },
  },
  getChatbotDraft: {
    things: 'organisation',
    request: async ({ owner }) => ({ params: { chatbotId: await aPublished(owner) } }),
  },
  createChatbot: { request: () => ({ body: { id: newId('chatbot'), content } }) },
  changeChatbotDraft: {
    things: 'organisation',
    repeated: 409,
    request: async ({ owner }) => {
      const { id: chatbotId, revision } = await aChatbot(owner);
      return { params: { chatbotId }, body: { revision, content: { ...content, name: 'Other' } } };
    },
  },
  publishChatbot: {
    things: 'organisation',
    repeated: 409,
    request: async ({ owner }) => {
      const { id: chatbotId, revision } = await aChatbot(owner);
      return { params: { chatbotId }, body: { revision, note: '' } };
    },
  },
  deleteChatbot: {
    things: 'organisation',
    repeated: 404,
    request: async ({ owner }) => ({ params: { chatbotId: (await aChatbot(owner)).id } }),
  },
  listChatbotVersions: {
    things: 'organisation',
    lists: null,
    request: async ({ owner }) => ({ params: { chatbotId: await aPublished(owner) } }),
  },
});
