import type { GenerationId, MessageId } from '@parley/contracts';
import { callContext } from '@parley/platform/work';
import { searchScopeOf, type NewMessage, type StoredConversation, type Viewer } from '../conversations/index.ts';
import type { ChosenModel } from '../models/index.ts';
import type { Generation } from './generation.collection.ts';
import type { Lease } from './generations.repository.ts';

/** Who asks which model; `lease` is that of the slot in which the answer will be written. */
export type Asker = Viewer & { readonly choosing: Promise<ChosenModel>; readonly lease: Lease | null };

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

/** Who is asked for, with the groups of now: to their budgets the answer counts. */
export const askerOf = ({ principal }: Pick<Viewer, 'principal'>): Pick<Generation, 'userId' | 'groupIds'> => ({
  userId: principal.userId,
  groupIds: [...(principal.organisation.groupIds ?? [])],
});

/** `continued` is the answer that it goes on from. */
export type Beginning = Pick<ChosenModel, 'model' | 'upstream'> & { readonly continued: Generation['continued'] };

/** Running at once under the lease of the slot that was reserved for it, else queued until a worker sweeps. */
export function newGeneration(
  { scope, principal, lease }: Asker,
  answer: NewMessage,
  { model, upstream, continued }: Beginning,
): Generation {
  const now = answer.createdAt;
  const { correlationId, traceparent } = callContext.current();
  if (!answer.generationId || !answer.parentId) throw new Error('An answer needs a generation and a question.');
  return {
    _id: answer.generationId,
    orgId: scope.orgId,
    conversationId: answer.conversationId,
    questionId: answer.parentId,
    answerId: answer._id,
    ...askerOf({ principal }),
    locale: principal.locale,
    origin: { correlationId, traceparent },
    modelKey: model.key,
    modelLabel: model.label,
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
    usage: null,
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
