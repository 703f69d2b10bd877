import { Injectable } from '@nestjs/common';
import { generationQueued, type GenerationId, type MessageId } from '@parley/contracts';
import type { OrganisationScope, Transaction } from '@parley/platform/mongo';
import {
  isLine,
  MessagesRepository,
  ReadingPlaces,
  type NewMessage,
  type Standing,
  type StoredConversation,
} from '../../../conversations/index.ts';
import type { Ask } from '../rows/ask.ts';
import { queuedTold } from '../rows/generation-events.ts';
import type { Generation } from '../rows/generation.collection.ts';
import { GenerationsRepository, type Lease } from '../rows/generations.repository.ts';
import type { Answerer } from './answerers.ts';
import { AnswerLimits } from './answer-limits.ts';
import { answerRow, newGeneration } from './new-answer.ts';

export type NewAnswer = {
  readonly scope: OrganisationScope;
  /** The conversation, with the sequence and position of the answer. */
  readonly conversation: StoredConversation;
  /** The question if it is new, to store with its answer. */
  readonly added: readonly NewMessage[];
  /** Of the answer. */
  readonly standing: Standing;
  readonly ask: Ask;
  readonly answerId: MessageId;
  readonly generationId: GenerationId;
  readonly answerer: Answerer;
  /** The lease of the slot that will write the answer; null: the answer is queued. */
  readonly lease: Lease | null;
  readonly now: Date;
};

/** Stores a new answer to any kind of question. */
@Injectable()
export class StoreAnswer {
  constructor(
    private readonly messages: MessagesRepository,
    private readonly generations: GenerationsRepository,
    private readonly limits: AnswerLimits,
    private readonly reading: ReadingPlaces,
  ) {}

  /**
   * Writes answer and generation, and records that the answer is queued. Counts it; throws `platform.rate-limited` at
   * the limit. If the conversation has several paths, moves the person's reading position to the answer.
   */
  async store(wanted: NewAnswer, tx: Transaction): Promise<{ answer: NewMessage; generation: Generation }> {
    const { scope, conversation, added, ask, answerId, generationId, now } = wanted;
    const ids = { answerId, generationId, parentId: ask.questionId, standing: wanted.standing };
    const answer = answerRow(conversation, { ...ids, createdAt: now });
    const generation = newGeneration(wanted, answer);
    const isLet = this.limits.begin(generation);
    await this.messages.create(scope, [...added, answer], tx);
    await this.generations.create(scope, generation, tx);
    if (ask.kind === 'chat' && !isLine(conversation, wanted.standing)) {
      const place = { conversationId: conversation._id, userId: ask.asker.userId, leafId: answerId };
      await this.reading.keep(scope, place, tx);
    }
    await isLet;
    tx.record(generationQueued, queuedTold(conversation, generation), { sequence: conversation.sequence });
    return { answer, generation };
  }
}
