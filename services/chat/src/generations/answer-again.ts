import { Injectable } from '@nestjs/common';
import {
  Problem,
  type answerAgain,
  type BodyOf,
  type ConversationId,
  type PersonPrincipal,
  type ResponseOf,
} from '@parley/contracts';
import type { OrganisationScope, Transaction } from '@parley/platform/mongo';
import { Work } from '@parley/platform/work';
import {
  ConversationsRepository,
  ConversationsService,
  toConversation,
  type StoredConversation,
} from '../conversations/index.ts';
import {
  GenerationsRepository,
  MessagesRepository,
  toMessage,
  type Generation,
  type MessageRow,
} from '../messages/index.ts';
import { ModelsService } from '../models/index.ts';
import { GenerationQueue } from './generation-queue.ts';
import { PrepareAnswer } from './prepare-answer.ts';
import { answerRow, newGeneration, recordQueued, type Asker } from './send-message.ts';

type Wish = { conversationId: ConversationId } & BodyOf<typeof answerAgain>;

/** Answers a question once more: regenerate, or retry after a failure. Earlier answers stay as versions. */
@Injectable()
export class AnswerAgain {
  constructor(
    private readonly conversations: ConversationsRepository,
    private readonly conversationRules: ConversationsService,
    private readonly messages: MessagesRepository,
    private readonly generations: GenerationsRepository,
    private readonly models: ModelsService,
    private readonly queue: GenerationQueue,
    private readonly prepare: PrepareAnswer,
    private readonly work: Work,
  ) {}

  async answer(
    scope: OrganisationScope,
    principal: PersonPrincipal,
    wish: Wish,
  ): Promise<ResponseOf<typeof answerAgain>> {
    const { conversationId } = wish;
    const current = await this.conversationRules.find(scope, principal.userId, conversationId);
    const question = await this.messages.find(scope, conversationId, wish.answerTo);
    if (question?.role !== 'person') throw new Problem('chat.message-not-found');
    const made = await this.messages.find(scope, conversationId, wish.answerId);
    if (made)
      return {
        answer: toMessage(made, await this.generations.find(scope, conversationId, wish.generationId)),
        conversation: toConversation(current),
      };
    const slot = this.queue.reserve();
    const choosing = this.models.choose(scope, wish.model);
    const asker = { scope, principal, choosing, lease: slot?.lease ?? null };
    choosing.catch(() => undefined);
    const preparing =
      slot &&
      this.prepare.prepareFor(scope, choosing, { conversationId, questionId: wish.answerTo, text: question.text });
    preparing?.catch(() => undefined);
    const stored = await this.work
      .run(principal, (tx) => this.store(asker, wish, tx))
      .catch((error: unknown) => {
        slot?.release();
        throw error;
      });
    if (slot && preparing) slot.write(stored.generation, preparing);
    else this.queue.ring();
    return { answer: toMessage(stored.answer, stored.generation), conversation: toConversation(stored.conversation) };
  }

  private async store(
    asker: Asker,
    wish: Wish,
    tx: Transaction,
  ): Promise<{ conversation: StoredConversation; answer: MessageRow; generation: Generation }> {
    const { scope, principal } = asker;
    const { conversationId } = wish;
    const now = new Date();
    const running = { generationId: wish.generationId, answerId: wish.answerId };
    const conversation = await this.conversations.beginAnswer(
      scope,
      principal.userId,
      { id: conversationId, sequences: 1, positions: 1, running, now },
      tx,
    );
    if (!conversation)
      throw new Problem('chat.generation-running', { detail: 'Wait for the answer, or stop it first.' });
    const answer = answerRow({
      orgId: scope.orgId,
      conversationId,
      createdAt: now,
      answerId: wish.answerId,
      answerTo: wish.answerTo,
      generationId: wish.generationId,
      conversation,
    });
    const generation = newGeneration(asker, answer, (await asker.choosing).model);
    await this.messages.create(scope, [answer], tx);
    await this.generations.create(scope, generation, tx);
    recordQueued(tx, generation, conversation);
    return { conversation, answer, generation };
  }
}
