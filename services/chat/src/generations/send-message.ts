import { Injectable } from '@nestjs/common';
import {
  generationQueued,
  messageCreated,
  Problem,
  type Accepted,
  type BodyOf,
  type ConversationId,
  type GenerationId,
  type MessageId,
  type Model,
  type PersonPrincipal,
  type sendMessage,
} from '@parley/contracts';
import { isDuplicateKey, type OrganisationScope, type Transaction } from '@parley/platform/mongo';
import { searchKeys } from '@parley/platform/text';
import { Work } from '@parley/platform/work';
import {
  ConversationsRepository,
  ConversationsService,
  titleFrom,
  toConversation,
  type StoredConversation,
} from '../conversations/index.ts';
import {
  GenerationsRepository,
  MessagesRepository,
  searchScope,
  toMessage,
  type Generation,
  type Lease,
  type MessageRow,
} from '../messages/index.ts';
import { ModelsService, type ChosenModel } from '../models/index.ts';
import { GenerationQueue } from './generation-queue.ts';
import { PrepareAnswer } from './prepare-answer.ts';

type Question = { readonly conversationId: ConversationId } & BodyOf<typeof sendMessage>;
type Stored = {
  readonly conversation: StoredConversation;
  readonly question: MessageRow;
  readonly answer: MessageRow;
  readonly generation: Generation;
};

/** Who asks which model; `lease` is that of the slot in which the answer will be written. */
export type Asker = {
  readonly scope: OrganisationScope;
  readonly principal: PersonPrincipal;
  readonly choosing: Promise<ChosenModel>;
  readonly lease: Lease | null;
};

/**
 * Takes a question: message, answer, generation and events in one transaction, then hands the generation to a worker.
 */
@Injectable()
export class SendMessage {
  constructor(
    private readonly conversations: ConversationsRepository,
    private readonly conversationEvents: ConversationsService,
    private readonly messages: MessagesRepository,
    private readonly generations: GenerationsRepository,
    private readonly models: ModelsService,
    private readonly queue: GenerationQueue,
    private readonly prepare: PrepareAnswer,
    private readonly work: Work,
  ) {}

  /** Repeating it with the same ids returns the same and writes nothing. */
  async send(scope: OrganisationScope, principal: PersonPrincipal, question: Question): Promise<Accepted> {
    const slot = this.queue.reserve();
    const choosing = this.models.choose(scope, question.model);
    choosing.catch(() => undefined);
    const preparing = slot && this.prepare.prepareFor(scope, choosing, { ...question, questionId: question.messageId });
    preparing?.catch(() => undefined);
    let stored: Stored;
    try {
      stored = await this.work.run(principal, (tx) =>
        this.store({ scope, principal, choosing, lease: slot?.lease ?? null }, question, tx),
      );
    } catch (error) {
      slot?.release();
      const repeated = mayBeRepeated(error) ? await this.findRepeated(scope, principal, question) : null;
      if (repeated) return toAccepted(repeated);
      throw isDuplicateKey(error)
        ? new Problem('platform.conflict', { detail: 'An id was used for something else.' })
        : error;
    }
    if (slot && preparing) slot.write(stored.generation, preparing);
    else this.queue.ring();
    return toAccepted(stored);
  }

  /** Looked up only after a refusal: nearly every call is the first of its kind. */
  private async findRepeated(
    scope: OrganisationScope,
    principal: PersonPrincipal,
    { conversationId, ...ids }: Question,
  ): Promise<Stored | null> {
    const [conversation, question, answer, generation] = await Promise.all([
      this.conversations.find(scope, principal.userId, conversationId),
      this.messages.find(scope, conversationId, ids.messageId),
      this.messages.find(scope, conversationId, ids.answerId),
      this.generations.find(scope, conversationId, ids.generationId),
    ]);
    return conversation && question && answer && generation ? { conversation, question, answer, generation } : null;
  }

  private async store(asker: Asker, question: Question, tx: Transaction): Promise<Stored> {
    const { scope, principal } = asker;
    const now = new Date();
    const conversation = await this.begin(scope, principal, { question, now }, tx);
    const at = { orgId: scope.orgId, conversationId: question.conversationId, createdAt: now };
    const person: MessageRow = {
      ...at,
      _id: question.messageId,
      position: conversation.lastPosition - 1,
      sequence: conversation.sequence - 1,
      role: 'person',
      text: question.text,
      author: { userId: principal.userId, name: principal.name },
      answerTo: null,
      generationId: null,
      searchKeys: searchKeys([searchScope(scope.orgId, principal.userId)], question.text),
    };
    const answer = answerRow({
      ...at,
      answerId: question.answerId,
      answerTo: question.messageId,
      generationId: question.generationId,
      conversation,
    });
    const generation = newGeneration(asker, answer, (await asker.choosing).model);
    await this.messages.create(scope, [person, answer], tx);
    await this.generations.create(scope, generation, tx);
    const event = { orgId: scope.orgId, conversationId: question.conversationId, memberIds: [conversation.ownerId] };
    const created = { ...event, messageId: person._id, authorId: principal.userId };
    tx.record(messageCreated, created, { sequence: person.sequence });
    recordQueued(tx, generation, conversation);
    return { conversation, question: person, answer, generation };
  }

  private async begin(
    scope: OrganisationScope,
    principal: PersonPrincipal,
    { question, now }: { question: Question; now: Date },
    tx: Transaction,
  ): Promise<StoredConversation> {
    const id = question.conversationId;
    const owner = principal.userId;
    const running = { generationId: question.generationId, answerId: question.answerId };
    const begun = await this.conversations.beginAnswer(
      scope,
      owner,
      { id, sequences: 2, positions: 2, running, now },
      tx,
    );
    if (begun) return begun;
    const found = await this.conversations.find(scope, owner, id, { withDeleted: true, tx });
    if (found?.isDeleted) throw new Problem('chat.conversation-not-found', { detail: 'The conversation was deleted.' });
    if (found) throw new Problem('chat.generation-running', { detail: 'Wait for the answer, or stop it first.' });
    const created: StoredConversation = {
      _id: id,
      orgId: scope.orgId,
      ownerId: owner,
      title: titleFrom(question.text),
      sequence: 3,
      lastPosition: 2,
      running,
      isDeleted: false,
      deletedAt: null,
      createdAt: now,
      lastActivityAt: now,
      version: 1,
    };
    await this.conversations.create(scope, created, tx);
    this.conversationEvents.record(tx, { ...created, sequence: 1 }, 'created');
    return created;
  }
}

const toAccepted = ({ conversation, question, answer, generation }: Stored): Accepted => ({
  message: toMessage(question, null),
  answer: toMessage(answer, generation),
  conversation: toConversation(conversation),
});

/** Something with one of these ids is there, or an answer is running: the call may have been made before. */
const mayBeRepeated = (error: unknown): boolean =>
  isDuplicateKey(error) ||
  (error instanceof Problem &&
    (error.code === 'chat.generation-running' || error.code === 'chat.conversation-not-found'));

/** The row of an answer that is about to be written: the conversation's newest position and sequence. */
export function answerRow(at: {
  orgId: MessageRow['orgId'];
  conversationId: ConversationId;
  createdAt: Date;
  answerId: MessageId;
  answerTo: MessageId;
  generationId: GenerationId;
  conversation: StoredConversation;
}): MessageRow {
  const { conversation, answerId, ...rest } = at;
  return {
    ...rest,
    _id: answerId,
    position: conversation.lastPosition,
    sequence: conversation.sequence,
    role: 'assistant',
    text: '',
    author: null,
    searchKeys: [],
  };
}

/** Running at once under the lease of the slot that was reserved for it, else queued until a worker sweeps. */
export function newGeneration({ scope, principal, lease }: Asker, answer: MessageRow, model: Model): Generation {
  const now = answer.createdAt;
  if (!answer.generationId || !answer.answerTo) throw new Error('An answer needs a generation and a question.');
  return {
    _id: answer.generationId,
    orgId: scope.orgId,
    conversationId: answer.conversationId,
    questionId: answer.answerTo,
    answerId: answer._id,
    userId: principal.userId,
    locale: principal.locale,
    modelKey: model.key,
    modelLabel: model.label,
    status: lease ? 'running' : 'queued',
    epoch: lease ? 1 : 0,
    leaseHolder: lease?.holder ?? null,
    leaseUntil: lease?.until ?? null,
    stopRequested: false,
    text: '',
    textEpoch: 0,
    citations: [],
    usage: null,
    failure: null,
    failureDetail: null,
    queuedAt: now,
    startedAt: lease ? now : null,
    firstTokenAt: null,
    resumedAt: null,
    finishedAt: null,
  };
}

export function recordQueued(tx: Transaction, generation: Generation, conversation: StoredConversation): void {
  const { _id, orgId, conversationId, answerId, userId, modelKey } = generation;
  const data = {
    orgId,
    conversationId,
    memberIds: [conversation.ownerId],
    generationId: _id,
    answerId,
    userId,
    model: modelKey,
  };
  tx.record(generationQueued, data, { sequence: conversation.sequence });
}
