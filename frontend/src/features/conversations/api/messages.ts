import type {
  Accepted,
  ConversationId,
  GenerationId,
  Message,
  MessageId,
  ModelKey,
  OrgId,
  ResponseOf,
  answerAgain,
  listMessages,
  stopGeneration,
} from '@parley/contracts';
import { pathOf, request } from '../../../lib/http.ts';
import { orgKey } from '../../../lib/tab-organisation.tsx';

const messagesPath = '/api/chat/conversations/:conversationId/messages';
type Page = ResponseOf<typeof listMessages>;

export const conversationKey = (orgId: OrgId, conversationId: ConversationId) =>
  orgKey(orgId, 'conversation', conversationId);

export type Place = { orgId: OrgId; conversationId: ConversationId };

export function fetchMessages(
  { orgId, conversationId }: Place,
  query: { before?: number; after?: number; limit?: number },
  signal?: AbortSignal,
): Promise<Page> {
  return request<Page>(pathOf(messagesPath, { conversationId }), { orgId, query, signal });
}

export type Question = {
  conversationId: ConversationId;
  messageId: MessageId;
  answerId: MessageId;
  generationId: GenerationId;
  text: string;
  model?: ModelKey;
};

/** Repeating it is harmless, for all ids are ours. */
export function postMessage(orgId: OrgId, { conversationId, ...body }: Question): Promise<Accepted> {
  return request<Accepted>(pathOf(messagesPath, { conversationId }), { method: 'POST', orgId, body });
}

export type AnswerRequest = { parentId: MessageId; answerId: MessageId; generationId: GenerationId; model?: ModelKey };

export function postAnswerAgain(
  orgId: OrgId,
  conversationId: ConversationId,
  body: AnswerRequest,
): Promise<ResponseOf<typeof answerAgain>> {
  return request(pathOf('/api/chat/conversations/:conversationId/answers', { conversationId }), {
    method: 'POST',
    orgId,
    body,
    retries: 3,
  });
}

export function postStop(orgId: OrgId, message: Message): Promise<ResponseOf<typeof stopGeneration>> {
  const params = { conversationId: message.conversationId, generationId: message.generation?.id ?? '' };
  return request(pathOf('/api/chat/conversations/:conversationId/generations/:generationId/stop', params), {
    method: 'POST',
    orgId,
    retries: 3,
  });
}
