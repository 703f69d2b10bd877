import type { ConversationId, Message, Provider, RouteName, ChunkId, DocumentId } from '@parley/contracts';
import { newId } from '@parley/platform/ids';
import type { ParleyClient } from '@parley/testing/client';
import { password } from './test-parley.spec-setup.ts';

/** What the matrix acts on: things of organisation A and the people around it. */
export type World = {
  readonly owner: ParleyClient;
  readonly conversationId: ConversationId;
  readonly messages: readonly Message[];
  readonly chunkId: ChunkId;
  readonly documentId: DocumentId;
  readonly provider: Provider;
};
export type RowRequest = {
  readonly params?: Record<string, string>;
  readonly query?: Record<string, string>;
  readonly body?: Record<string, unknown> | string;
};
export type Row = {
  /** A request that must succeed for the owner of organisation A; fresh ids each time. */
  request(world: World): RowRequest | Promise<RowRequest>;
  /** Statuses that the very same request may have the second time, besides the first one's. */
  readonly repeated?: readonly number[];
  /** The request names things of organisation A by id, so the owner of B must get 404 for it even inside B. */
  readonly namesThings?: true;
  /** It ends or replaces the caller's session, so the matrix calls it with a session of its own. */
  readonly endsSession?: true;
};

const fresh = async ({ owner }: World): Promise<ConversationId> => {
  const id = newId('conversation');
  await owner.send(id, 'something to throw away');
  return id;
};
const ended = async (world: World, conversationId: ConversationId): Promise<Message[]> => {
  for (;;) {
    const { items } = await world.owner.messages(conversationId);
    if (items.every(({ generation }) => generation === null || generation.finishedAt !== null)) return items;
    await new Promise((resolve) => setTimeout(resolve, 30));
  }
};
const inConversation = ({ conversationId }: World) => ({ conversationId });
const providerFields = {
  name: 'Mock',
  baseUrl: 'http://127.0.0.1:9/v1',
  models: ['m'],
  defaultModel: 'm',
  isDefault: false,
};
const person = () => ({
  id: newId('user'),
  email: `row-${newId('user').toLowerCase()}@example.com`,
  name: 'Row',
  password,
  locale: 'en',
});
const none = { request: () => ({}) };

/** One row for each route there is; a new route without a row does not compile. */
export const rows: Record<RouteName, Row | 'internal'> = {
  getRegistration: none,
  register: { request: () => ({ body: person() }), repeated: [409] },
  signIn: { request: ({ owner }) => ({ body: { email: owner.me?.email, password } }) },
  signOut: { ...none, repeated: [401], endsSession: true },
  signOutEverywhere: { ...none, repeated: [401], endsSession: true },
  getMe: none,
  updateMe: {
    request: async ({ owner }) => ({ body: { version: (await owner.call('GET /api/auth/me')).version, locale: 'en' } }),
    repeated: [409],
  },
  chooseDefaultOrganisation: { request: ({ owner }) => ({ body: { orgId: owner.orgId } }) },
  resolveSession: 'internal',
  listAuthRevocations: 'internal',
  createOrganisation: { request: () => ({ body: { id: newId('organisation'), name: 'Another one' } }) },
  listOrganisations: none,
  renameOrganisation: {
    namesThings: true,
    repeated: [409],
    request: async ({ owner }) => {
      const { items } = await owner.call('GET /api/org/organisations');
      return {
        params: { orgId: owner.orgId ?? '' },
        body: { version: items.find(({ id }) => id === owner.orgId)?.version, name: 'Renamed' },
      };
    },
  },
  getMembership: 'internal',
  listOrgRevocations: 'internal',
  listConversations: none,
  getConversation: { request: (world) => ({ params: inConversation(world) }), namesThings: true },
  renameConversation: {
    namesThings: true,
    repeated: [409],
    request: async (world) => {
      const conversation = await world.owner.call('GET /api/chat/conversations/:conversationId', {
        params: inConversation(world),
      });
      return { params: inConversation(world), body: { version: conversation.version, title: 'New title' } };
    },
  },
  deleteConversation: {
    request: async (world) => ({ params: { conversationId: await fresh(world) } }),
    namesThings: true,
  },
  restoreConversation: { request: (world) => ({ params: inConversation(world) }), namesThings: true },
  listMessages: { request: (world) => ({ params: inConversation(world) }), namesThings: true },
  sendMessage: {
    namesThings: true,
    request: async (world) => {
      await ended(world, world.conversationId);
      return {
        params: inConversation(world),
        body: {
          messageId: newId('message'),
          answerId: newId('message'),
          generationId: newId('generation'),
          text: 'again',
        },
      };
    },
  },
  answerAgain: {
    namesThings: true,
    request: async (world) => {
      const [question] = await ended(world, world.conversationId);
      return {
        params: inConversation(world),
        body: { answerTo: question?.id, answerId: newId('message'), generationId: newId('generation') },
      };
    },
  },
  stopGeneration: {
    request: (world) => ({
      params: { ...inConversation(world), generationId: world.messages[1]?.generation?.id ?? '' },
    }),
    namesThings: true,
  },
  searchMessages: { request: () => ({ query: { q: 'carry' } }) },
  getPassage: { request: ({ chunkId }) => ({ params: { chunkId } }), namesThings: true },
  listModels: none,
  listProviders: none,
  createProvider: { request: () => ({ body: { id: newId('provider'), ...providerFields } }) },
  updateProvider: {
    namesThings: true,
    repeated: [409],
    request: async ({ owner, provider }) => {
      const { items } = await owner.call('GET /api/chat/providers');
      return {
        params: { providerId: provider.id },
        body: { version: items.find(({ id }) => id === provider.id)?.version, name: 'Other name' },
      };
    },
  },
  deleteProvider: {
    namesThings: true,
    repeated: [404],
    request: async ({ owner }) => {
      const { id } = await owner.call('POST /api/chat/providers', {
        body: { id: newId('provider'), ...providerFields },
      });
      return { params: { providerId: id } };
    },
  },
  testProvider: { request: () => ({ body: { baseUrl: 'http://127.0.0.1:9/v1' } }) },
  listProviderOffers: none,
  // Nothing is offered on the test machine: that it may be asked at all is what the row proves.
  acceptProviderOffer: {
    request: () => ({
      body: {
        id: newId('provider'),
        source: 'environment',
        baseUrl: 'http://127.0.0.1:9/v1',
        defaultModel: 'm',
        isDefault: false,
      },
    }),
  },
  listDocuments: none,
  uploadDocument: {
    request: () => ({ query: { id: newId('document'), name: 'row.md' }, body: '# Row\n\nText of the row.' }),
  },
  deleteDocument: {
    request: async ({ owner }) => ({ params: { documentId: (await owner.upload('gone.md', 'gone')).id } }),
    namesThings: true,
  },
  restoreDocument: { request: ({ documentId }) => ({ params: { documentId } }), namesThings: true },
  retryDocument: { request: ({ documentId }) => ({ params: { documentId } }), namesThings: true },
  listLedgerEntries: none,
  getGenerationCounts: none,
};
