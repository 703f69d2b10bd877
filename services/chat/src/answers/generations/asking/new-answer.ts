import type { GenerationId, MessageId } from '@parley/contracts';
import type { OrganisationScope } from '@parley/platform/mongo';
import { callContext } from '@parley/platform/work';
import {
  searchScopeOf,
  type NewMessage,
  type Standing,
  type StoredConversation,
  type Viewer,
} from '../../../conversations/index.ts';
import type { Answerer } from './answerers.ts';
import type { Generation } from '../rows/generation.collection.ts';
import type { Lease } from '../rows/generations.repository.ts';
import { kindFields, type Ask, type Asker } from '../rows/ask.ts';

type Wanted = {
  readonly answerId: MessageId;
  readonly generationId: GenerationId;
  /** The question. */
  readonly parentId: MessageId;
  readonly standing: Standing;
  readonly createdAt: Date;
};

/** Returns the row of a new answer, at the conversation's newest position and sequence. */
export function answerRow(conversation: StoredConversation, wanted: Wanted): NewMessage {
  const { answerId, generationId, parentId, standing, createdAt } = wanted;
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
    ...standing,
    generationId,
    searchScope: searchScopeOf(conversation),
    searchKeys: [],
  };
}

/**
 * Returns the person who asks, with their current role and groups: the answer counts towards their budgets, and uses
 * what they can read.
 */
export const askerOf = ({ principal }: Pick<Viewer, 'principal'>): Asker => ({
  userId: principal.userId,
  groupIds: [...(principal.organisation.groupIds ?? [])],
  locale: principal.locale,
  name: principal.name,
  organisationName: principal.organisation.name ?? '',
  ...(principal.organisation.role && { role: principal.organisation.role }),
});

type Beginning = {
  readonly scope: OrganisationScope;
  readonly conversation: Pick<StoredConversation, 'projectId' | 'titling'>;
  readonly ask: Ask;
  readonly answerer: Pick<Answerer, 'model' | 'upstream' | 'chatbot'>;
  readonly lease: Lease | null;
};

/**
 * Returns a generation that runs immediately under the lease of the reserved slot; without a lease it is queued until a
 * worker sweeps.
 */
export function newGeneration(
  { scope, conversation: { projectId, titling }, ask, answerer: { model, upstream, chatbot }, lease }: Beginning,
  answer: NewMessage,
): Generation {
  const now = answer.createdAt;
  const { userId, groupIds, locale, ...names } = ask.asker;
  const { continued, ...kind } = kindFields(ask);
  const { correlationId, traceparent } = callContext.current();
  if (!answer.generationId || !answer.parentId) throw new Error('An answer needs a generation and a question.');
  return {
    _id: answer.generationId,
    orgId: scope.orgId,
    conversationId: answer.conversationId,
    questionId: answer.parentId,
    answerId: answer._id,
    ...(projectId && { projectId }),
    ...(titling === 'open' && upstream && { givesTitle: true }),
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
    ...kind,
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
