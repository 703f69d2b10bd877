import { modelKey, type ImportSource, type MessageFile } from '@parley/contracts';
import { isRefusal, type Generation } from '../../answers/generations/index.ts';
import {
  searchKeysOf,
  searchScopeOf,
  type NewMessage,
  type Standing,
  type StoredConversation,
} from '../../conversations/index.ts';
import type { Drafted } from './chat-plan.ts';
import type { ImportRow } from './import.collection.ts';
import type { ChatbotNames } from './named-chatbots.ts';

/** As its product is called. */
export const sourceNames: Record<ImportSource, string> = {
  chatgpt: 'ChatGPT',
  claude: 'Claude',
  'open-webui': 'Open WebUI',
  librechat: 'LibreChat',
  parley: 'Parley',
};

/** There is none of ours. */
const noModel = modelKey.parse('builtin');

type Written = {
  readonly conversation: StoredConversation;
  readonly by: Pick<ImportRow, 'userId' | 'userName' | 'locale'>;
  readonly source: ImportSource;
  readonly at: Standing & { readonly position: number; readonly sequence: number };
  readonly files: readonly MessageFile[];
  readonly chatbots: ChatbotNames | null;
};

/** The row of a message that is imported, and of an answer its generation. */
export function importedMessage(
  drafted: Drafted,
  { conversation, by, source, at: { place, forks, position, sequence }, files, chatbots }: Written,
): { readonly message: NewMessage; readonly generation: Generation | null } {
  const { id, parentId, role, text, createdAt, answer } = drafted;
  const message: NewMessage = {
    _id: id,
    orgId: conversation.orgId,
    conversationId: conversation._id,
    position,
    sequence,
    role,
    text,
    createdAt,
    author: role === 'person' ? { userId: by.userId, name: by.userName } : null,
    parentId,
    place,
    forks,
    generationId: answer?.id ?? null,
    ...(isRefusal(answer?.exported?.failure ?? null) && text === '' && { isRefused: true }),
    ...(files.length > 0 && { files: [...files] }),
    imported: true,
    searchScope: searchScopeOf(conversation),
    searchKeys: searchKeysOf({ role, text, files: [...files] }),
  };
  return { message, generation: answer && generationOf(drafted, { conversation, by, source, chatbots }) };
}

/** It has ended without an attempt: nothing is billed or counted. */
function generationOf(
  { id: answerId, parentId, text, createdAt, answer }: Drafted,
  { conversation, by, source, chatbots }: Pick<Written, 'conversation' | 'by' | 'source' | 'chatbots'>,
): Generation {
  if (!answer || !parentId) throw new Error('An answer needs a question.');
  const { exported } = answer;
  return {
    _id: answer.id,
    orgId: conversation.orgId,
    conversationId: conversation._id,
    questionId: parentId,
    answerId,
    userId: by.userId,
    groupIds: [],
    locale: by.locale,
    origin: null,
    modelKey: noModel,
    modelLabel: answer.model ?? sourceNames[source],
    chatbot: exported?.chatbot ? (chatbots?.answering(exported.chatbot) ?? null) : null,
    fallback: null,
    fellBackFrom: null,
    asker: null,
    upstream: null,
    status: answer.isMissing ? 'stopped' : (exported?.state ?? 'done'),
    epoch: 0,
    handOvers: 0,
    leaseHolder: null,
    leaseUntil: null,
    stopRequested: false,
    continued: null,
    text,
    textEpoch: 0,
    citations: [...(exported?.citations ?? [])],
    thoughts: null,
    usage: null,
    attempts: [],
    imported: true,
    failure: exported?.failure ?? null,
    failureDetail: null,
    queuedAt: createdAt,
    startedAt: null,
    firstTokenAt: null,
    resumedAt: null,
    finishedAt: createdAt,
  };
}
