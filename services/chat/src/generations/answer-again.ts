import { Injectable } from '@nestjs/common';
import { Problem, type answerAgain, type BodyOf, type ConversationId, type PersonPrincipal, type ResponseOf } from '@parley/contracts';
import { Mongo, type OrganisationScope } from '@parley/platform/mongo';
import { Outbox } from '@parley/platform/outbox';
import { ConversationsRepository, ConversationsService, toConversation } from '../conversations/index.ts';
import { GenerationsRepository, MessagesRepository, toMessage } from '../messages/index.ts';
import { ModelsService } from '../models/index.ts';
import { GenerationQueue } from './generation-queue.ts';
import { answerRow, queuedGeneration, recordQueued } from './send-message.ts';

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
    private readonly mongo: Mongo,
    private readonly outbox: Outbox,
  ) {}

  async answer(scope: OrganisationScope, principal: PersonPrincipal, wish: { conversationId: ConversationId } & BodyOf<typeof answerAgain>): Promise<ResponseOf<typeof answerAgain>> {
    const { conversationId } = wish;
    const current = await this.conversationRules.find(scope, principal.userId, conversationId);
    const question = await this.messages.find(scope, conversationId, wish.answerTo);
    if (question?.role !== 'person') throw new Problem('chat.message-not-found');
    const made = await this.messages.find(scope, conversationId, wish.answerId);
    if (made) return { answer: toMessage(made, await this.generations.find(scope, conversationId, wish.generationId)), conversation: toConversation(current) };
    const model = await this.models.choose(scope, wish.model);
    const now = new Date();
    const stored = await this.mongo.transaction(async (tx) => {
      const conversation = await this.conversations.beginAnswer(scope, principal.userId, { id: conversationId, sequences: 1, positions: 1, running: { generationId: wish.generationId, answerId: wish.answerId }, now }, tx);
      if (!conversation) throw new Problem('chat.generation-running', { detail: 'Wait for the answer, or stop it first.' });
      const answer = answerRow({ orgId: scope.orgId, conversationId, createdAt: now, answerId: wish.answerId, answerTo: wish.answerTo, generationId: wish.generationId, conversation });
      const generation = queuedGeneration({ scope, principal, model, answer, now });
      await this.messages.create(scope, [answer], tx);
      await this.generations.create(scope, generation, tx);
      await recordQueued(this.outbox, tx, generation, conversation);
      return { conversation, answer, generation };
    });
    this.outbox.wake();
    this.queue.offer(stored.generation);
    return { answer: toMessage(stored.answer, stored.generation), conversation: toConversation(stored.conversation) };
  }
}
