import type {
  ChatbotId,
  CuratedAnswer,
  CuratedAnswerId,
  FeedbackCase,
  FeedbackId,
  FeedbackItem,
  ModelKey,
} from '@parley/contracts';
import type { UserId } from '@parley/protocol';

const ulid = (n: number) => String(n).padStart(26, '0');
const at = '2026-11-20T10:41:00.000Z';

export const sampleReporter = { userId: `usr_${ulid(7)}` as UserId, name: 'Tomas Brekhold' };
export const sampleAssignee = { userId: `usr_${ulid(8)}` as UserId, name: 'Kei Amasato' };
export const sampleChatbot = {
  id: `bot_${ulid(1)}` as ChatbotId,
  version: 9,
  name: 'Policy Reader',
  glyph: 'book',
} as const;

export const sampleItem = (n: number, more: Partial<FeedbackItem> = {}): FeedbackItem => ({
  id: `fbk_${ulid(n)}` as FeedbackId,
  rating: 'down',
  reasons: ['out-of-date'],
  comment: 'The €35 allowance was replaced.',
  question: null,
  chatbot: sampleChatbot,
  model: { key: 'builtin' as ModelKey, label: 'Built-in assistant' },
  reporter: sampleReporter,
  state: 'new',
  assignee: null,
  isAnswered: false,
  ratedAt: at,
  ...more,
});
export const sampleCase = (more: Partial<FeedbackCase> = {}): FeedbackCase => ({
  ...sampleItem(1),
  revision: 3,
  note: '',
  reply: null,
  sharedMessages: 0,
  isChatDeleted: false,
  history: [{ at, by: sampleReporter, what: 'rated', to: null }],
  ...more,
});
export const sampleCurated = (more: Partial<CuratedAnswer> = {}): CuratedAnswer => ({
  id: `cur_${ulid(1)}` as CuratedAnswerId,
  questions: ['How much is the night allowance?'],
  text: 'It is €48.',
  chatbotId: null,
  isActive: true,
  author: sampleAssignee,
  editedAt: at,
  revision: 2,
  ...more,
});
