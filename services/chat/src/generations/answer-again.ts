import { Injectable } from '@nestjs/common';
import {
  generationQueued,
  Problem,
  type answerAgain,
  type BodyOf,
  type ConversationId,
  type MessageId,
  type ResponseOf,
} from '@parley/contracts';
import { Clock } from '@parley/platform/clock';
import type { Transaction } from '@parley/platform/mongo';
import { Work } from '@parley/platform/work';
import {
  ConversationAccess,
  ConversationsRepository,
  MessagesRepository,
  toConversation,
  visibleTo,
  type MessageRow,
  type StoredConversation,
  type Viewer,
} from '../conversations/index.ts';
import { Answerers } from './answerers.ts';
import { GenerationQueue } from './generation-queue.ts';
import type { Generation } from './generation.collection.ts';
import { GenerationsRepository } from './generations.repository.ts';
import { toMessage } from './message-view.ts';
import { queuedTold } from './generation-events.ts';
import { answerRow, askerOf, newGeneration, type Asker } from './new-answer.ts';
import { PrepareAnswer } from './prepare-answer.ts';

type Wish = { readonly conversationId: ConversationId } & BodyOf<typeof answerAgain>;
type Stored = {
  readonly conversation: StoredConversation;
  readonly answer: MessageRow;
  readonly generation: Generation;
};

/** Answers a question once more: regenerate, retry after a failure, go on. Earlier answers stay as versions. */
@Injectable()
export class AnswerAgain {
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

  async answer(viewer: Viewer, wish: Wish): Promise<ResponseOf<typeof answerAgain>> {
    const { scope, principal } = viewer;
    const { conversationId } = wish;
    const current = await this.access.read(viewer, conversationId);
    const question = await this.messages.find(scope, { conversationId, id: wish.parentId });
    if (question?.role !== 'person' || question.isDiscarded) throw new Problem('chat.message-not-found');
    const made = await this.messages.find(scope, { conversationId, id: wish.answerId });
    if (made) {
      const generation = await this.generations.find(scope, conversationId, wish.generationId);
      return { answer: toMessage(made, generation), conversation: toConversation(current) };
    }
    const continued = wish.continues === undefined ? null : await this.continued(scope, wish, wish.continues);
    const slot = this.queue.reserve({ orgId: scope.orgId, userId: principal.userId });
    const choosing = this.answerers.choose(viewer, wish);
    choosing.catch(() => undefined);
    const asker = { ...viewer, choosing, lease: slot?.lease ?? null, asker: askerOf(viewer) };
    const asked = { conversationId, questionId: wish.parentId, text: question.text, asker: asker.asker };
    const preparing = slot && this.prepare.prepareFor(scope, choosing, { ...asked, continued });
    preparing?.catch(() => undefined);
    const stored = await this.work
      .run(principal, (tx) => this.store(asker, { ...wish, continued }, tx))
      .catch((error: unknown) => {
        slot?.release();
        this.queue.limits.undo({ _id: wish.generationId, orgId: scope.orgId, userId: principal.userId }, error);
        throw error;
      });
    if (slot && preparing) slot.write(stored.generation, preparing);
    else this.queue.ring();
    return { answer: toMessage(stored.answer, stored.generation), conversation: toConversation(stored.conversation) };
  }

  /** What an answer of the same question said when it ended. */
  private async continued(
    scope: Viewer['scope'],
    { conversationId, parentId }: Wish,
    answerId: MessageId,
  ): Promise<NonNullable<Generation['continued']>> {
    const answer = await this.messages.find(scope, { conversationId, id: answerId });
    const generation =
      answer?.generationId && answer.parentId === parentId
        ? await this.generations.find(scope, conversationId, answer.generationId)
        : null;
    if (!generation || (generation.finishedAt && generation.text === '')) throw new Problem('chat.message-not-found');
    if (!generation.finishedAt) throw new Problem('chat.generation-running', { detail: 'It goes on by itself.' });
    return { answerId, text: generation.text, citations: generation.citations };
  }

  private async store(asker: Asker, wish: Wish & Pick<Generation, 'continued'>, tx: Transaction): Promise<Stored> {
    const { scope } = asker;
    const now = this.clock.now();
    const running = { generationId: wish.generationId, answerId: wish.answerId };
    const begin = { id: wish.conversationId, sequences: 1, positions: 1, running, now };
    const conversation = await this.conversations.beginAnswer(scope, { visible: visibleTo(asker), begin }, tx);
    if (!conversation)
      throw new Problem('chat.generation-running', { detail: 'Wait for the answer, or stop it first.' });
    // It may have been thrown away since it was looked up.
    const { conversationId, parentId: id } = wish;
    if ((await this.messages.find(scope, { conversationId, id }, tx))?.isDiscarded)
      throw new Problem('chat.message-not-found');
    const answer = answerRow(conversation, { ...wish, createdAt: now });
    const generation = newGeneration(asker, answer, { ...(await asker.choosing), continued: wish.continued });
    const isLet = this.queue.limits.begin(generation);
    await this.messages.create(scope, [answer], tx);
    await this.generations.create(scope, generation, tx);
    await isLet;
    tx.record(generationQueued, queuedTold(conversation, generation), { sequence: conversation.sequence });
    return { conversation, answer, generation };
  }
}
