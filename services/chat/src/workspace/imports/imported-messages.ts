import { modelKey, type ImportSource, type MessageFile } from '@parley/contracts';
import type { Generation } from '../../answers/generations/index.ts';
import {
  searchKeysOf,
  searchScopeOf,
  type NewMessage,
  type Standing,
  type StoredConversation,
} from '../../conversations/index.ts';
import type { Drafted } from './chat-plan.ts';
import type { ImportRow } from './import.collection.ts';

/** As its product is called. */
const names: Record<ImportSource, string> = {
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
};

/** The row of a message that is imported, and of an answer its generation. */
export function importedMessage(
  drafted: Drafted,
  { conversation, by, source, at: { place, forks, position, sequence }, files }: Written,
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
    ...(files.length > 0 && { files: [...files] }),
    imported: true,
    searchScope: searchScopeOf(conversation),
    searchKeys: searchKeysOf({ role, text, files: [...files] }),
  };
  return { message, generation: answer && generationOf(drafted, { conversation, by, source }) };
}

/** It has ended without an attempt: nothing is billed or counted. */
function generationOf(
  { id: answerId, parentId, text, createdAt, answer }: Drafted,
  { conversation, by, source }: Pick<Written, 'conversation' | 'by' | 'source'>,
): Generation {
  if (!answer || !parentId) throw new Error('An answer needs a question.');
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
    modelLabel: answer.model ?? names[source],
    chatbot: null,
    fallback: null,
    fellBackFrom: null,
    asker: null,
    upstream: null,
    status: answer.isMissing ? 'stopped' : 'done',
    epoch: 0,
    handOvers: 0,
    leaseHolder: null,
    leaseUntil: null,
    stopRequested: false,
    continued: null,
    text,
    textEpoch: 0,
    citations: [],
    thoughts: null,
    usage: null,
    attempts: [],
    imported: true,
    failure: null,
    failureDetail: null,
    queuedAt: createdAt,
    startedAt: null,
    firstTokenAt: null,
    resumedAt: null,
    finishedAt: createdAt,
  };
}
