import {
  conversationRoutes,
  deletedRoutes,
  draftRoutes,
  runningRoutes,
  type ConversationId,
  type DocumentId,
  type Message,
} from '@parley/contracts';
import { newId } from '@parley/platform/ids';
import { plain, rowsFor, type World } from './rows.spec-setup.ts';

const thrownAway = async ({ owner }: World): Promise<ConversationId> => {
  const id = newId('conversation');
  await owner.send(id, 'something to throw away');
  return id;
};
const deleted = async (world: World): Promise<ConversationId> => {
  const conversationId = await thrownAway(world);
  await world.owner.call('DELETE /api/chat/conversations/:conversationId', { params: { conversationId } });
  return conversationId;
};
const deletedDocument = async ({ owner }: World): Promise<DocumentId> => {
  const { id: documentId } = await owner.upload('thrown-away.md', 'away');
  await owner.call('DELETE /api/chat/documents/:documentId', { params: { documentId } });
  return documentId;
};
/** Those that the lists show. */
let listed: ConversationId | null = null;
let listedDocument: DocumentId | null = null;
const ended = async ({ owner, conversationId }: World): Promise<Message[]> => {
  for (;;) {
    const { items } = await owner.messages(conversationId);
    if (items.every(({ generation }) => generation === null || generation.finishedAt !== null)) return items;
    await new Promise((resolve) => setTimeout(resolve, 30));
  }
};
const inConversation = ({ conversationId }: World) => ({ conversationId });
const answerIds = () => ({ answerId: newId('message'), generationId: newId('generation') });

export const conversationRows = rowsFor(conversationRoutes, {
  listConversations: { ...plain, lists: { ids: ({ conversationId }) => [conversationId], whose: 'owner' } },
  getConversation: { request: (world) => ({ params: inConversation(world) }), things: 'owner' },
  renameConversation: {
    things: 'owner',
    repeated: 409,
    request: async (world) => {
      const route = 'GET /api/chat/conversations/:conversationId';
      const { version } = await world.owner.call(route, { params: inConversation(world) });
      return { params: inConversation(world), body: { version, title: 'New title' } };
    },
  },
  markManyConversations: {
    request: ({ conversationId }) => ({ body: { conversationIds: [conversationId], pinned: true } }),
  },
  deleteConversation: {
    request: async (world) => ({ params: { conversationId: await thrownAway(world) } }),
    things: 'owner',
  },
  restoreConversation: { request: (world) => ({ params: inConversation(world) }), things: 'owner' },
  branchConversation: {
    things: 'owner',
    request: (world) => ({
      params: inConversation(world),
      body: { id: newId('conversation'), messageId: world.messages[0]?.id ?? '', copies: 'path' },
    }),
  },
  markRead: { request: (world) => ({ params: inConversation(world), body: { sequence: 1 } }), things: 'owner' },
  listMessages: {
    request: (world) => ({ params: inConversation(world) }),
    things: 'owner',
    lists: { ids: ({ messages }) => messages.map(({ id }) => id), whose: 'owner' },
  },
  listPath: {
    request: (world) => ({ params: inConversation(world) }),
    things: 'owner',
    lists: { ids: ({ messages }) => messages.slice(0, 1).map(({ id }) => id), whose: 'owner' },
  },
  // A move in a chat with one path stores nothing, so a repeated move doesn't conflict on its version.
  moveInConversation: {
    things: 'owner',
    request: async (world) => {
      const conversationId = await thrownAway(world);
      const { items } = await world.owner.messages(conversationId);
      return { params: { conversationId }, body: { through: items[0]?.id ?? '', version: 0 } };
    },
  },
  countBranch: {
    things: 'owner',
    request: (world) => ({ params: { ...inConversation(world), messageId: world.messages[0]?.id ?? '' } }),
  },
  deleteMessage: {
    things: 'owner',
    request: async (world) => {
      const conversationId = await thrownAway(world);
      const { items } = await world.owner.messages(conversationId);
      return { params: { conversationId, messageId: items[0]?.id ?? '' } };
    },
  },
  listDeletedMessages: { things: 'owner', lists: null, request: (world) => ({ params: inConversation(world) }) },
  restoreMessage: {
    things: 'owner',
    request: (world) => ({ params: { ...inConversation(world), messageId: world.messages[0]?.id ?? '' } }),
  },
  sendMessage: {
    things: 'owner',
    request: async (world) => {
      await ended(world);
      return { params: inConversation(world), body: { messageId: newId('message'), ...answerIds(), text: 'again' } };
    },
  },
  answerAgain: {
    things: 'owner',
    request: async (world) => {
      const [question, answer] = await ended(world);
      const body = { parentId: question?.id, continues: answer?.id, ...answerIds() };
      return { params: inConversation(world), body };
    },
  },
  discardMessage: {
    things: 'owner',
    request: (world) => ({
      params: { ...inConversation(world), messageId: world.messages[0]?.id ?? '' },
      body: { isDiscarded: false },
    }),
  },
  stopGeneration: {
    request: (world) => ({
      params: { ...inConversation(world), generationId: world.messages[1]?.generation?.id ?? '' },
    }),
    things: 'owner',
  },
  searchMessages: {
    request: () => ({ query: { q: 'carry', limit: '100' } }),
    lists: { ids: ({ messages }) => [messages[0]?.id ?? ''], whose: 'owner' },
  },
  getPassage: { request: ({ chunkId }) => ({ params: { chunkId } }), things: 'organisation' },
});

const wordsOfDraft = 'herons nest in colonies';
export const draftRows = rowsFor(draftRoutes, {
  getDraft: {
    request: async ({ owner, conversationId }) => {
      const params = { where: conversationId };
      await owner.call('PUT /api/chat/drafts/:where', { params, body: { text: wordsOfDraft, revision: 0 } });
      return { params };
    },
    things: 'owner',
    ofUnknown: 200,
    lists: { ids: () => [wordsOfDraft], whose: 'owner' },
  },
  saveDraft: {
    request: ({ conversationId }) => ({ params: { where: conversationId }, body: { text: 'to be said', revision: 0 } }),
    things: 'owner',
  },
  dropDraft: { request: ({ conversationId }) => ({ params: { where: conversationId } }), things: 'owner' },
});

export const runningRows = rowsFor(runningRoutes, {
  stopAnyGeneration: {
    request: ({ messages }) => ({ params: { generationId: messages[1]?.generation?.id ?? '' } }),
    things: 'organisation',
  },
});

export const deletedRows = rowsFor(deletedRoutes, {
  listDeletedConversations: {
    request: async (world) => {
      listed ??= await deleted(world);
      return {};
    },
    lists: { ids: () => (listed ? [listed] : []), whose: 'owner' },
  },
  eraseConversation: {
    request: async (world) => ({ params: { conversationId: await deleted(world) } }),
    things: 'owner',
  },
  listDeletedDocuments: {
    request: async (world) => {
      const connectionId = (await world.owner.call('GET /api/chat/connections')).items[0]!.id;
      listedDocument ??= await deletedDocument(world);
      return { query: { connectionId, limit: '100' } };
    },
    lists: { ids: () => (listedDocument ? [listedDocument] : []), whose: 'organisation' },
  },
  eraseDocument: {
    request: async (world) => ({ params: { documentId: await deletedDocument(world) } }),
    things: 'organisation',
    repeated: 404,
  },
});
