import { Injectable } from '@nestjs/common';
import {
  generationQueued,
  messageCreated,
  Problem,
  type Accepted,
  type BodyOf,
  type ConversationId,
  type sendMessage,
} from '@parley/contracts';
import { Clock } from '@parley/platform/clock';
import { isDuplicateKey, type Transaction } from '@parley/platform/mongo';
import { searchKeys } from '@parley/platform/text';
import { callContext, Work } from '@parley/platform/work';
import {
  addressOf,
  ConversationAccess,
  ConversationsRepository,
  MessagesRepository,
  ownedBy,
  record,
  searchScopeOf,
  titleFrom,
  toConversation,
  visibleTo,
  type MessageRow,
  type NewMessage,
  type StoredConversation,
  type Viewer,
} from '../conversations/index.ts';
import { setTimeout as wait } from 'node:timers/promises';
import { Answerers } from './answerers.ts';
import { GenerationQueue } from './generation-queue.ts';
import type { Generation } from './generation.collection.ts';
import { GenerationsRepository } from './generations.repository.ts';
import { toMessage } from './message-view.ts';
import { queuedTold } from './generation-events.ts';
import { answerRow, askerOf, newGeneration, type Asker } from './new-answer.ts';
import { PrepareAnswer } from './prepare-answer.ts';

type Question = { readonly conversationId: ConversationId } & BodyOf<typeof sendMessage>;
type Stored = {
  readonly conversation: StoredConversation;
  readonly question: MessageRow;
  readonly answer: MessageRow;
  readonly generation: Generation;
};

/** So long the reply to the page leaves to the request that was just made to the model, and to a model that answers at once. */
const modelsMs = 2;
/** By the question and its answer. */
const sequencesTaken = 2;

/**
 * Takes a question: message, answer, generation and events in one transaction, then hands the generation to a worker.
 */
@Injectable()
export class SendMessage {
  constructor(
    private readonly conversations: ConversationsRepository,
    private readonly access: ConversationAccess,
    private readonly messages: MessagesRepository,
    private readonly generations: GenerationsRepository,
    private readonly answerers: Answerers,
    private readonly queue: GenerationQueue,
    private readonly prepare: PrepareAnswer,
    private readonly work: Work,
    private readonly clock: Clock,
  ) {}

  /** Repeating it with the same ids returns the same and writes nothing. */
  async send(viewer: Viewer, question: Question): Promise<Accepted> {
    const { scope, principal } = viewer;
    const slot = this.queue.reserve({ orgId: scope.orgId, userId: principal.userId });
    const choosing = this.answerers.choose(viewer, question);
    choosing.catch(() => undefined);
    const asker = { ...viewer, choosing, lease: slot?.lease ?? null, asker: askerOf(viewer) };
    const begun = Promise.withResolvers<number>();
    begun.promise.catch(() => undefined);
    // First, so that what is read beside it does not stand before it in the store.
    const storing = this.work.run(principal, (tx) => this.store(asker, { question, begun: begun.resolve }, tx));
    storing.catch(begun.reject);
    const preparing =
      slot &&
      this.prepare.prepareFor(scope, choosing, {
        ...question,
        questionId: question.messageId,
        before: begun.promise,
        continued: null,
        asker: asker.asker,
      });
    preparing?.catch(() => undefined);
    let stored: Stored;
    try {
      stored = await storing;
    } catch (error) {
      slot?.release();
      const repeated = mayBeRepeated(error) ? await this.findRepeated(viewer, question) : null;
      if (repeated) {
        callContext.markRepeat();
        return toAccepted(repeated);
      }
      this.queue.limits.undo({ _id: question.generationId, orgId: scope.orgId, userId: principal.userId }, error);
      if (isDuplicateKey(error))
        throw new Problem('platform.conflict', { detail: 'An id was used for something else.' }, { cause: error });
      throw error;
    }
    if (slot && preparing) {
      slot.write(stored.generation, preparing);
      await wait(modelsMs);
    } else this.queue.ring();
    return toAccepted(stored);
  }

  /** Looked up only after a refusal: nearly every call is the first of its kind. */
  private async findRepeated(viewer: Viewer, { conversationId, ...ids }: Question): Promise<Stored | null> {
    const { scope } = viewer;
    const [conversation, question, answer, generation] = await Promise.all([
      this.access.find(viewer, conversationId),
      this.messages.find(scope, { conversationId, id: ids.messageId }),
      this.messages.find(scope, { conversationId, id: ids.answerId }),
      this.generations.find(scope, conversationId, ids.generationId),
    ]);
    return conversation && question && answer && generation ? { conversation, question, answer, generation } : null;
  }

  /** `begun` is told the sequence that the conversation had before. */
  private async store(
    asker: Asker,
    { question: asked, begun }: { question: Question; begun: (sequence: number) => void },
    tx: Transaction,
  ): Promise<Stored> {
    const { scope, principal } = asker;
    const now = this.clock.now();
    const conversation = await this.begin(asker, { question: asked, now }, tx);
    // In the next turn: what the store waits for leaves first, and while it works the answer is prepared.
    setImmediate(begun, conversation.sequence - sequencesTaken);
    const question: NewMessage = {
      _id: asked.messageId,
      orgId: scope.orgId,
      conversationId: asked.conversationId,
      position: conversation.lastPosition - 1,
      sequence: conversation.sequence - 1,
      role: 'person',
      text: asked.text,
      createdAt: now,
      author: { userId: principal.userId, name: principal.name },
      parentId: conversation.lastAnswerId,
      generationId: null,
      searchScope: searchScopeOf(conversation),
      searchKeys: searchKeys(asked.text),
    };
    const answer = answerRow(conversation, { ...asked, parentId: asked.messageId, createdAt: now });
    const generation = newGeneration(asker, answer, { ...(await asker.choosing), continued: null });
    const isLet = this.queue.limits.begin(generation);
    await this.messages.create(scope, [question, answer], tx);
    await this.generations.create(scope, generation, tx);
    await isLet;
    const told = { ...addressOf(conversation), messageId: question._id, authorId: principal.userId };
    tx.record(messageCreated, told, { sequence: question.sequence });
    tx.record(generationQueued, queuedTold(conversation, generation), { sequence: conversation.sequence });
    return { conversation, question, answer, generation };
  }

  private async begin(
    viewer: Viewer,
    { question, now }: { question: Question; now: Date },
    tx: Transaction,
  ): Promise<StoredConversation> {
    const { scope } = viewer;
    const id = question.conversationId;
    const running = { generationId: question.generationId, answerId: question.answerId };
    const begin = { id, sequences: sequencesTaken, positions: 2, running, now };
    const begun = await this.conversations.beginAnswer(scope, { visible: visibleTo(viewer), begin }, tx);
    if (begun) return begun;
    const found = await this.access.find(viewer, id, tx);
    if (found?.isDeleted) throw new Problem('chat.conversation-not-found', { detail: 'The conversation was deleted.' });
    if (found) throw new Problem('chat.generation-running', { detail: 'Wait for the answer, or stop it first.' });
    const created: StoredConversation = {
      _id: id,
      orgId: scope.orgId,
      ...ownedBy(viewer),
      title: titleFrom(question.text),
      sequence: 3,
      lastPosition: 2,
      lastAnswerId: null,
      running,
      isDeleted: false,
      deletedAt: null,
      createdAt: now,
      lastActivityAt: now,
      version: 1,
    };
    await this.conversations.create(scope, created, tx);
    record(tx, { ...created, sequence: 1 }, 'created');
    return created;
  }
}

const toAccepted = ({ conversation, question, answer, generation }: Stored): Accepted => ({
  message: toMessage(question, null),
  answer: toMessage(answer, generation),
  conversation: toConversation(conversation),
});

const refusalsOfRepeats: readonly string[] = ['chat.generation-running', 'chat.conversation-not-found'];

/** Something with one of these ids is there, or an answer is running: the call may have been made before. */
const mayBeRepeated = (error: unknown): boolean =>
  isDuplicateKey(error) || (error instanceof Problem && refusalsOfRepeats.includes(error.code));
