import { Injectable } from '@nestjs/common';
import { Clock } from '@parley/platform/clock';
import { derivedId } from '@parley/platform/ids';
import type { OrganisationScope, Transaction } from '@parley/platform/mongo';
import { Work, type Actor } from '@parley/platform/work';
import {
  ConversationsRepository,
  firstStanding,
  next,
  searchScopeOf,
  type NewMessage,
  type StoredConversation,
} from '../../../conversations/index.ts';
import type { Answerer } from './answerers.ts';
import { GenerationQueue } from './generation-queue.ts';
import type { Generation } from '../rows/generation.collection.ts';
import type { ApartAsk, Ask, Asker } from '../rows/ask.ts';
import type { Lease } from '../rows/generations.repository.ts';
import { HeadStart } from './head-start.ts';
import { PrepareAnswer } from './prepare-answer.ts';
import { StoreAnswer } from './store-answer.ts';

export type ApartIds = ReturnType<typeof idsOf>;
export type AskedApart = {
  readonly scope: OrganisationScope;
  readonly actor: Actor;
  readonly asker: Asker;
  readonly answerer: Answerer;
  readonly question: string;
  readonly of: ApartAsk;
  /**
   * Stores the trial or the program's request in the question's transaction. Returns false if it exists already: then
   * nothing is asked.
   */
  readonly keep: (ids: ApartIds, now: Date, tx: Transaction) => Promise<boolean>;
};

function idsOf(of: ApartAsk) {
  const parts = of.kind === 'trial' ? (['trial', of.trialId] as const) : (['completion', of.completionId] as const);
  return {
    conversationId: derivedId('conversation', parts),
    questionId: derivedId('message', [...parts, 'question']),
    answerId: derivedId('message', [...parts, 'answer']),
    generationId: derivedId('generation', parts),
    /** Derived: no real person owns the conversation, so no list, search or socket shows it. */
    ownerId: derivedId('user', parts),
  };
}

/** Asks questions outside of chats. They are queued, written, stopped, budgeted and billed like all others. */
@Injectable()
export class AskApart {
  constructor(
    private readonly conversations: ConversationsRepository,
    private readonly queue: GenerationQueue,
    private readonly prepare: PrepareAnswer,
    private readonly storing: StoreAnswer,
    private readonly work: Work,
    private readonly clock: Clock,
  ) {}

  /** Returns null if the question was asked before. */
  async ask(asked: AskedApart): Promise<Generation | null> {
    const { generationId } = idsOf(asked.of);
    const start = new HeadStart(this.queue, { orgId: asked.scope.orgId, userId: asked.asker.userId, generationId });
    let generation: Generation | null;
    try {
      generation = await this.work.run(asked.actor, (tx) => this.store(asked, start.lease, tx));
    } catch (error) {
      start.release(error);
      start.uncount(error);
      throw error;
    }
    if (!generation) {
      start.release(new Error('It was asked before.'));
      return null;
    }
    const stored = generation;
    start.prepare(() => this.prepare.prepare(stored));
    start.handOver(stored);
    return stored;
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
      ...firstStanding,
      generationId: null,
      searchKeys: [],
    };
    const ask: Ask = { conversationId, questionId, asker, ...of };
    await this.conversations.create(scope, conversation, tx);
    const { generation } = await this.storing.store(
      {
        scope,
        conversation,
        added: [asks],
        standing: next(firstStanding),
        ask,
        answerId,
        generationId,
        answerer,
        lease,
        now,
      },
      tx,
    );
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
  lastRun: 1,
  running: { generationId, answerId },
  isDeleted: false,
  deletedAt: null,
  createdAt: now,
  lastActivityAt: now,
  version: 1,
});
