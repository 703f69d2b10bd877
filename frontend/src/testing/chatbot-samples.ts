import type {
  Chatbot,
  ChatbotContent,
  ChatbotDraft,
  ChatbotId,
  ChatbotTests,
  ChatbotVersion,
  Trial,
} from '@parley/contracts';
import type { UserId } from '@parley/protocol';
import type { Handlers } from './fake-api.ts';

/** For tests. */
export const sampleBotId = 'bot_01M7Z6X0BT7J6QPJC5FQE3HR13' as ChatbotId;
const kei = { userId: 'usr_01M7Z6X0BT7J6QPJC5FQE3HR07' as UserId, name: 'Kei Amasato' };

export const sampleBot: Chatbot = {
  id: sampleBotId,
  name: 'Grid Engineer',
  glyph: 'bolt',
  version: 3,
  isDefault: false,
  model: null,
  starters: [],
};

export const sampleContent = (over: Partial<ChatbotContent> = {}): ChatbotContent => ({
  name: 'Grid Engineer',
  glyph: 'bolt',
  instructions: 'You help engineers of {{org.name}}.\nAnswer from the documents.',
  model: null,
  fallback: null,
  temperature: null,
  knowledge: { passages: 6, onlyFromDocuments: false, connectionIds: null },
  starters: [],
  audience: { kind: 'everybody' },
  ...over,
});

export const sampleVersion = (over: Partial<ChatbotVersion> = {}): ChatbotVersion => ({
  version: 14,
  note: 'Names the runbook step',
  by: kei,
  publishedAt: '2026-11-21T10:00:00.000Z',
  content: sampleContent(),
  ...over,
});

export const sampleDraft = (over: Partial<ChatbotDraft> = {}): ChatbotDraft => ({
  id: sampleBotId,
  isDefault: false,
  revision: 3,
  content: sampleContent(),
  isChanged: false,
  editedAt: '2026-11-21T10:30:00.000Z',
  editedBy: kei,
  published: sampleVersion(),
  ...over,
});

export const noTests: ChatbotTests = { items: [], gate: null, onDraft: null, onPublished: null };
export const sampleBotSummary = (over: object = {}) => ({
  id: sampleBotId,
  name: 'Grid Engineer',
  glyph: 'bolt' as const,
  isDefault: false,
  isChanged: true,
  editedAt: '2026-11-21T10:30:00.000Z',
  editedBy: kei,
  publishedVersion: 14,
  audience: 'everybody' as const,
  ...over,
});
export const sampleTrial = (over: Partial<Trial> = {}): Trial => ({
  id: 'trl_01M7Z6X0BT7J6QPJC5FQE3HR21' as Trial['id'],
  chatbotId: sampleBotId,
  version: null,
  question: 'Which relay?',
  conversationId: 'cnv_01M7Z6X0BT7J6QPJC5FQE3HR22' as Trial['conversationId'],
  generationId: 'gen_01M7Z6X0BT7J6QPJC5FQE3HR23' as Trial['generationId'],
  askedBy: kei,
  askedAt: '2026-11-21T10:40:00.000Z',
  status: 'done',
  failure: null,
  failureDetail: null,
  text: 'Relay 51N-7. [1]',
  citations: [],
  found: [],
  model: { key: 'builtin' as Trial['model']['key'], label: 'Built-in assistant' },
  usage: { inputTokens: 2318, outputTokens: 64, estimated: false },
  firstTokenMs: 380,
  totalMs: 2900,
  ...over,
});

/** What the studio asks for when it shows one chatbot. */
export const studioHandlers = (draft: ChatbotDraft): Handlers => ({
  'GET /api/chat/chatbot-drafts': () => ({ items: [sampleBotSummary()] }),
  'GET /api/chat/chatbot-drafts/:chatbotId': () => draft,
  'GET /api/chat/chatbot-drafts/:chatbotId/versions': () => ({ items: [sampleVersion()], nextCursor: null }),
  'GET /api/chat/chatbot-drafts/:chatbotId/tests': () => noTests,
  'GET /api/chat/chatbot-drafts/:chatbotId/trials': () => ({ items: [] }),
  'GET /api/chat/chatbot-drafts/:chatbotId/test-runs': () => ({ items: [] }),
  'GET /api/chat/models': () => ({ items: [], documentCount: 0, indexedAt: null }),
  'GET /api/chat/connections': () => ({ items: [] }),
  'GET /api/org/roles': () => ({ items: [] }),
  'GET /api/org/groups': () => ({ items: [] }),
});
