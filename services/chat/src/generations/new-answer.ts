import type { GenerationId, MessageId } from '@parley/contracts';
import { callContext } from '@parley/platform/work';
import { searchScopeOf, type NewMessage, type StoredConversation, type Viewer } from '../conversations/index.ts';
import type { Answerer } from './answerers.ts';
import type { Generation } from './generation.collection.ts';
import type { Lease } from './generations.repository.ts';
import type { AskedQuestion } from './prepare-answer.ts';

/** Who asks what; `lease` is that of the slot in which the answer will be written. */
export type Asker = Viewer & {
  readonly choosing: Promise<Answerer>;
  readonly lease: Lease | null;
  readonly asker: AskedQuestion['asker'];
};

type Wanted = {
  readonly answerId: MessageId;
  readonly generationId: GenerationId;
  /** The question. */
  readonly parentId: MessageId;
  readonly createdAt: Date;
};

/** The row of an answer that is about to be written: the conversation's newest position and sequence. */
export function answerRow(conversation: StoredConversation, wanted: Wanted): NewMessage {
  const { answerId, generationId, parentId, createdAt } = wanted;
  return {
    _id: answerId,
    orgId: conversation.orgId,
    conversationId: conversation._id,
    position: conversation.lastPosition,
    sequence: conversation.sequence,
    role: 'assistant',
    text: '',
    createdAt,
    author: null,
    parentId,
    generationId,
    searchScope: searchScopeOf(conversation),
    searchKeys: [],
  };
}

/** Who is asked for, with the role and the groups of now: to their budgets the answer counts, and what they may read it may draw on. */
export const askerOf = ({ principal }: Pick<Viewer, 'principal'>): AskedQuestion['asker'] => ({
  userId: principal.userId,
  groupIds: [...(principal.organisation.groupIds ?? [])],
  locale: principal.locale,
  name: principal.name,
  organisationName: principal.organisation.name ?? '',
  ...(principal.organisation.role && { role: principal.organisation.role }),
});

/** `continued` is the answer that it goes on from. */
export type Beginning = Pick<Answerer, 'model' | 'upstream' | 'chatbot'> &
  Pick<Generation, 'continued' | 'trialId' | 'completionId'>;

/** Running at once under the lease of the slot that was reserved for it, else queued until a worker sweeps. */
export function newGeneration(
  { scope, asker, lease }: Pick<Asker, 'scope' | 'asker' | 'lease'>,
  answer: NewMessage,
  { model, upstream, chatbot, continued, trialId, completionId }: Beginning,
): Generation {
  const now = answer.createdAt;
  const { userId, groupIds, locale, ...names } = asker;
  const { correlationId, traceparent } = callContext.current();
  if (!answer.generationId || !answer.parentId) throw new Error('An answer needs a generation and a question.');
  return {
    _id: answer.generationId,
    orgId: scope.orgId,
    conversationId: answer.conversationId,
    questionId: answer.parentId,
    answerId: answer._id,
    userId,
    groupIds: [...(groupIds ?? [])],
    locale,
    origin: { correlationId, traceparent },
    modelKey: model.key,
    modelLabel: model.label,
    chatbot: { id: chatbot.id, version: chatbot.version, name: chatbot.content.name, glyph: chatbot.content.glyph },
    fallback: chatbot.content.fallback === model.key ? null : chatbot.content.fallback,
    fellBackFrom: null,
    asker: names,
    upstream,
    status: lease ? 'running' : 'queued',
    epoch: lease ? 1 : 0,
    handOvers: 0,
    leaseHolder: lease?.holder ?? null,
    leaseUntil: lease?.until ?? null,
    stopRequested: false,
    continued,
    text: continued?.text ?? '',
    textEpoch: 0,
    citations: [...(continued?.citations ?? [])],
    thoughts: null,
    usage: null,
    ...(trialId && { trialId }),
    ...(completionId && { completionId }),
    attempts: [],
    failure: null,
    failureDetail: null,
    queuedAt: now,
    startedAt: lease ? now : null,
    firstTokenAt: null,
    resumedAt: null,
    finishedAt: null,
  };
}
