import { Injectable } from '@nestjs/common';
import { generationQueued, type CompletionId, type TrialId } from '@parley/contracts';
import { Clock } from '@parley/platform/clock';
import { derivedId } from '@parley/platform/ids';
import type { OrganisationScope, Transaction } from '@parley/platform/mongo';
import { Work, type Actor } from '@parley/platform/work';
import {
  ConversationsRepository,
  MessagesRepository,
  searchScopeOf,
  type NewMessage,
  type StoredConversation,
} from '../conversations/index.ts';
import type { Answerer } from './answerers.ts';
import { GenerationQueue } from './generation-queue.ts';
import type { Generation } from './generation.collection.ts';
import { GenerationsRepository, type Lease } from './generations.repository.ts';
import { queuedTold } from './generation-events.ts';
import { answerRow, newGeneration } from './new-answer.ts';
import { PrepareAnswer, type AskedQuestion } from './prepare-answer.ts';

/** Whose question it is: a trial's, or that of a program. */
type Of =
  | { readonly trialId: TrialId; readonly completionId?: undefined }
  | { readonly completionId: CompletionId; readonly trialId?: undefined };
export type ApartIds = ReturnType<typeof idsOf>;
export type AskedApart = {
  readonly scope: OrganisationScope;
  readonly actor: Actor;
  readonly asker: AskedQuestion['asker'];
  readonly answerer: Answerer;
  readonly question: string;
  readonly of: Of;
  /** Keeps what the question is of, in its transaction; false where it was there: then nothing is asked. */
  readonly keep: (ids: ApartIds, now: Date, tx: Transaction) => Promise<boolean>;
};

function idsOf({ trialId, completionId }: Of) {
  const parts = trialId ? (['trial', trialId] as const) : (['completion', completionId] as const);
  return {
    conversationId: derivedId('conversation', parts),
    questionId: derivedId('message', [...parts, 'question']),
    answerId: derivedId('message', [...parts, 'answer']),
    generationId: derivedId('generation', parts),
    /** Its conversation belongs to nobody, so that no list, no search and no socket has it. */
    ownerId: derivedId('user', parts),
  };
}

/**
 * Asks what is in nobody's chats, by the same way as any question: queued, written, stopped, budgeted and billed like
 * one.
 */
@Injectable()
export class AskApart {
  constructor(
    private readonly conversations: ConversationsRepository,
    private readonly messages: MessagesRepository,
    private readonly generations: GenerationsRepository,
    private readonly queue: GenerationQueue,
    private readonly prepare: PrepareAnswer,
    private readonly work: Work,
    private readonly clock: Clock,
  ) {}

  /** Null where it was asked before. */
  async ask(asked: AskedApart): Promise<Generation | null> {
    const slot = this.queue.reserve({ orgId: asked.scope.orgId, userId: asked.asker.userId });
    let generation: Generation | null;
    try {
      generation = await this.work.run(asked.actor, (tx) => this.store(asked, slot?.lease ?? null, tx));
    } catch (error) {
      slot?.release();
      const { generationId: _id } = idsOf(asked.of);
      this.queue.limits.undo({ _id, orgId: asked.scope.orgId, userId: asked.asker.userId }, error);
      throw error;
    }
    if (generation && slot) slot.write(generation, this.prepare.prepare(generation));
    else slot?.release();
    if (generation && !slot) this.queue.ring();
    return generation;
  }

  private async store(asked: AskedApart, lease: Lease | null, tx: Transaction): Promise<Generation | null> {
    const { scope, asker, answerer, question, of, keep } = asked;
    const now = this.clock.now();
    const ids = idsOf(of);
    if (!(await keep(ids, now, tx))) return null;
    const conversation = newConversation(scope, ids, now);
    const { conversationId, questionId, answerId, generationId } = ids;
    const asks: NewMessage = {
      _id: questionId,
      orgId: scope.orgId,
      conversationId,
      createdAt: now,
      searchScope: searchScopeOf(conversation),
      position: 1,
      sequence: 1,
      role: 'person',
      text: question,
      author: { userId: asker.userId, name: asker.name },
      parentId: null,
      generationId: null,
      searchKeys: [],
    };
    const answer = answerRow(conversation, { answerId, generationId, parentId: questionId, createdAt: now });
    const generation = newGeneration({ scope, asker, lease }, answer, { ...answerer, continued: null, ...of });
    const isLet = this.queue.limits.begin(generation);
    await this.conversations.create(scope, conversation, tx);
    await this.messages.create(scope, [asks, answer], tx);
    await this.generations.create(scope, generation, tx);
    await isLet;
    tx.record(generationQueued, queuedTold(conversation, generation), { sequence: conversation.sequence });
    return generation;
  }
}

const newConversation = (
  { orgId }: OrganisationScope,
  { conversationId, ownerId, generationId, answerId }: ApartIds,
  now: Date,
): StoredConversation => ({
  _id: conversationId,
  orgId,
  ownerId,
  title: '',
  sequence: 1,
  lastPosition: 2,
  lastAnswerId: null,
  running: { generationId, answerId },
  isDeleted: false,
  deletedAt: null,
  createdAt: now,
  lastActivityAt: now,
  version: 1,
});
