import { Injectable } from '@nestjs/common';
import { generationQueued, type TestRunId, type TrialId } from '@parley/contracts';
import { Clock } from '@parley/platform/clock';
import { derivedId } from '@parley/platform/ids';
import type { OrganisationScope, Transaction } from '@parley/platform/mongo';
import { Work, type Actor } from '@parley/platform/work';
import { TrialsRepository, type ChosenChatbot, type TrialRow } from '../chatbots/index.ts';
import {
  ConversationsRepository,
  MessagesRepository,
  searchScopeOf,
  type NewMessage,
  type StoredConversation,
} from '../conversations/index.ts';
import { Answerers, type Answerer } from './answerers.ts';
import { GenerationQueue } from './generation-queue.ts';
import type { Generation } from './generation.collection.ts';
import { GenerationsRepository, type Lease } from './generations.repository.ts';
import { queuedTold } from './generation-events.ts';
import { answerRow, newGeneration } from './new-answer.ts';
import { PrepareAnswer, type AskedQuestion } from './prepare-answer.ts';

/** What is tried, by whom and for whom; `version` is null where that is a draft. */
export type WantedTrial = {
  readonly scope: OrganisationScope;
  readonly actor: Actor;
  readonly asker: AskedQuestion['asker'];
  readonly id: TrialId;
  readonly chatbot: ChosenChatbot;
  readonly version: number | null;
  readonly question: string;
  readonly runId: TestRunId | null;
};
type Storing = WantedTrial & { readonly answerer: Answerer; readonly lease: Lease | null };

/** A trial's conversation belongs to nobody, so that no list, no search and no socket has it. */
const nobodyFor = (id: TrialId) => derivedId('user', ['trial', id]);
const idsOf = (id: TrialId) => ({
  conversationId: derivedId('conversation', ['trial', id]),
  questionId: derivedId('message', ['trial', id, 'question']),
  answerId: derivedId('message', ['trial', id, 'answer']),
  generationId: derivedId('generation', ['trial', id]),
});

/**
 * Asks a chatbot to see what it answers, by the same way as any question: queued, written, resumed, stopped, budgeted and
 * billed like one. The content that answers it is kept with the trial.
 */
@Injectable()
export class AskTrial {
  constructor(
    private readonly trials: TrialsRepository,
    private readonly conversations: ConversationsRepository,
    private readonly messages: MessagesRepository,
    private readonly generations: GenerationsRepository,
    private readonly answerers: Answerers,
    private readonly queue: GenerationQueue,
    private readonly prepare: PrepareAnswer,
    private readonly work: Work,
    private readonly clock: Clock,
  ) {}

  /** Repeating it with the same id returns what is there. */
  async ask(wanted: WantedTrial): Promise<TrialRow> {
    const { scope, actor, id } = wanted;
    const known = await this.trials.find(scope, id);
    if (known) return known;
    const answerer = await this.answerers.onModel(scope, Promise.resolve(wanted.chatbot), undefined);
    const slot = this.queue.reserve(scope.orgId);
    const storing = { ...wanted, answerer, lease: slot?.lease ?? null };
    let stored: { readonly row: TrialRow; readonly generation: Generation | null };
    try {
      stored = await this.work.run(actor, (tx) => this.store(storing, tx));
    } catch (error) {
      slot?.release();
      throw error;
    }
    const { row, generation } = stored;
    if (generation && slot) slot.write(generation, this.prepare.prepare(generation));
    else slot?.release();
    if (generation && !slot) this.queue.ring();
    return row;
  }

  /** The generation is null where somebody was faster. */
  private async store(wanted: Storing, tx: Transaction) {
    const { scope, id, chatbot, version, question, runId, asker, answerer, lease } = wanted;
    const now = this.clock.now();
    const ids = idsOf(id);
    const of = { chatbotId: chatbot.id, version, content: chatbot.content };
    const tried = { _id: id, orgId: scope.orgId, ...of, question, runId };
    const asked = { askerId: asker.userId, askerName: asker.name, askedAt: now };
    const { row, isNew } = await this.trials.insert(scope, { ...tried, ...asked, ...ids }, tx);
    if (!isNew) return { row, generation: null };
    const conversation = newConversation(scope, row);
    const { conversationId, questionId, answerId, generationId } = ids;
    const shared = { orgId: scope.orgId, conversationId, createdAt: now, searchScope: searchScopeOf(conversation) };
    const asks: NewMessage = {
      ...shared,
      _id: questionId,
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
    const beginning = { ...answerer, continued: null, trialId: id };
    const generation = newGeneration({ scope, asker, lease }, answer, beginning);
    await this.conversations.create(scope, conversation, tx);
    await this.messages.create(scope, [asks, answer], tx);
    await this.generations.create(scope, generation, tx);
    tx.record(generationQueued, queuedTold(conversation, generation), { sequence: conversation.sequence });
    return { row, generation };
  }
}

function newConversation(scope: OrganisationScope, row: TrialRow): StoredConversation {
  const { answerId, generationId, askedAt, conversationId } = row;
  return {
    _id: conversationId,
    orgId: scope.orgId,
    ownerId: nobodyFor(row._id),
    title: '',
    sequence: 1,
    lastPosition: 2,
    lastAnswerId: null,
    running: { generationId, answerId },
    isDeleted: false,
    deletedAt: null,
    createdAt: askedAt,
    lastActivityAt: askedAt,
    version: 1,
  };
}
