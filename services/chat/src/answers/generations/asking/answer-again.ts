import { Injectable } from '@nestjs/common';
import type { answerAgain, ConversationId, MessageId } from '@parley/contracts';
import { Problem, type BodyOf, type ResponseOf } from '@parley/protocol';
import type { Transaction } from '@parley/platform/mongo';
import {
  ConversationAccess,
  ConversationsRepository,
  MessagePlaces,
  MessagesRepository,
  toConversation,
  visibleTo,
  type MessageRow,
  type StoredConversation,
  type Viewer,
} from '../../../conversations/index.ts';
import type { Generation } from '../rows/generation.collection.ts';
import { GenerationsRepository } from '../rows/generations.repository.ts';
import { toMessage } from '../rows/message-view.ts';
import { AskInChat, assertTurn, type Decided, type Taking } from './ask-in-chat.ts';

/**
 * An answer that replaces another, while the conversation's queue is on hold until the conversation's owner continues
 * it.
 */
export type Replacing = {
  readonly conversation: StoredConversation;
  readonly question: MessageRow;
  readonly answerId: MessageId;
};
type Replace = (scope: Viewer['scope'], replacing: Replacing, tx: Transaction) => Promise<void>;

type Wish = { readonly conversationId: ConversationId } & BodyOf<typeof answerAgain> & Taking;

/** Answers a question again: regenerate, retry after a failure, continue. Earlier answers stay as versions. */
@Injectable()
export class AnswerAgain {
  private replace: Replace = async () => undefined;

  constructor(
    private readonly conversations: ConversationsRepository,
    private readonly access: ConversationAccess,
    private readonly messages: MessagesRepository,
    private readonly places: MessagePlaces,
    private readonly generations: GenerationsRepository,
    private readonly asking: AskInChat,
  ) {}

  /** Sets the callback that runs in the transaction of an answer which replaces another. */
  whenReplacing(replace: Replace): void {
    this.replace = replace;
  }

  /** Idempotent: repeating the call with the same ids returns the stored answer and stores nothing. */
  async answer(viewer: Viewer, wish: Wish): Promise<ResponseOf<typeof answerAgain>> {
    const { scope } = viewer;
    const { conversationId } = wish;
    await this.access.read(viewer, conversationId);
    const question = await this.messages.find(scope, { conversationId, id: wish.parentId });
    if (question?.role !== 'person' || question.isDiscarded) throw new Problem('chat.message-not-found');
    const continued = wish.continues === undefined ? null : await this.continued(scope, wish, wish.continues);
    const { answer, generation, conversation } = await this.asking.ask(viewer, {
      ...wish,
      questionId: question._id,
      text: question.text,
      continued: continued && continued.from,
      // The model refused the images of the continued answer, and would refuse them again.
      images: wish.images ?? (continued?.images && 'note'),
      decide: (tx, { now }) => this.decide(viewer, { wish, now }, tx),
    });
    return { answer: toMessage(answer, generation), conversation: toConversation(conversation) };
  }

  /** Returns the text of an ended answer to the same question. */
  private async continued(
    scope: Viewer['scope'],
    { conversationId, parentId }: Wish,
    answerId: MessageId,
  ): Promise<{ readonly from: NonNullable<Generation['continued']> } & Pick<Generation, 'images'>> {
    const answer = await this.messages.find(scope, { conversationId, id: answerId });
    const generation =
      answer?.generationId && answer.parentId === parentId && !answer.deletedAt
        ? await this.generations.find(scope, conversationId, answer.generationId)
        : null;
    if (!generation || (generation.finishedAt && generation.text === '')) throw new Problem('chat.message-not-found');
    if (!generation.finishedAt) throw new Problem('chat.generation-running', { detail: 'It goes on by itself.' });
    const { text, citations, images } = generation;
    return { from: { answerId, text, citations }, images };
  }

  private async decide(viewer: Viewer, { wish, now }: { wish: Wish; now: Date }, tx: Transaction): Promise<Decided> {
    const { scope } = viewer;
    const { conversationId, generationId, answerId } = wish;
    await wish.take?.(tx);
    const begin = { id: conversationId, sequences: 1, positions: 1, running: { generationId, answerId }, now };
    const begun = { visible: visibleTo(viewer), begin };
    const conversation = await this.conversations.beginAnswer(viewer.scope, begun, tx);
    if (!conversation)
      throw new Problem('chat.generation-running', { detail: 'Wait for the answer, or stop it first.' });
    assertTurn(conversation, wish);
    // The question can have been discarded since it was looked up.
    const question = await this.messages.find(viewer.scope, { conversationId, id: wish.parentId }, tx);
    if (!question || question.isDiscarded) throw new Problem('chat.message-not-found');
    if (conversation.queued && conversation.isQueueHeld)
      await this.replace(scope, { conversation, question, answerId }, tx);
    const { standing, parent: before } = await this.places.under(scope, { conversation, parentId: question._id }, tx);
    return { conversation, question, added: [], standing, before };
  }
}
