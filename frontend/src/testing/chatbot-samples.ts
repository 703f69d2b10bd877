import type { ChatbotContent, ChatbotDraft, ChatbotId, ChatbotVersion, UserId } from '@parley/contracts';

/** For tests. */
export const sampleBotId = 'bot_01M7Z6X0BT7J6QPJC5FQE3HR13' as ChatbotId;
const kei = { userId: 'usr_01M7Z6X0BT7J6QPJC5FQE3HR07' as UserId, name: 'Kei Amasato' };

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
