import { Injectable } from '@nestjs/common';
import { generationAttemptEnded, type Citation, type GenerationFailure, type Usage } from '@parley/contracts';
import { jobScope, type Transaction } from '@parley/platform/mongo';
import { job as named, Work, type Job } from '@parley/platform/work';
import { searchKeys } from '@parley/platform/text';
import { ConversationsRepository, type StoredConversation } from '../conversations/index.ts';
import {
  estimateTokens,
  GenerationsRepository,
  MessagesRepository,
  searchScope,
  type FinalStatus,
  type Generation,
  type Lease,
} from '../messages/index.ts';

export type AnswerEnd = {
  readonly status: FinalStatus;
  readonly text: string;
  readonly citations: readonly Citation[];
  readonly usage: Usage | null;
  readonly failure: GenerationFailure | null;
  readonly failureDetail: string | null;
  readonly firstTokenAt: Date | null;
};
const writing = ({ userId }: Generation): Job => named('writes answers', { onBehalfOf: userId });
const job = jobScope('workers write the answers of all organisations');

/** Ends attempts: state, message, conversation and event in one transaction, fenced by the epoch. */
@Injectable()
export class FinishAnswer {
  constructor(
    private readonly generations: GenerationsRepository,
    private readonly conversations: ConversationsRepository,
    private readonly messages: MessagesRepository,
    private readonly work: Work,
  ) {}

  /** False when the lease was lost: then nothing was written. */
  async finish(held: Generation, end: AnswerEnd): Promise<boolean> {
    const now = new Date();
    const usage = end.usage ?? { inputTokens: 0, outputTokens: estimateTokens(end.text), estimated: true };
    return this.work.run(writing(held), async (tx) => {
      const finished = await this.generations.finish(
        job,
        { id: held._id, epoch: held.epoch },
        { ...end, usage, now },
        tx,
      );
      if (!finished) return false;
      const conversation = await this.conversations.recordGeneration(
        job,
        held.conversationId,
        { isFinal: true, now },
        tx,
      );
      if (!conversation) return false;
      const keys = searchKeys([searchScope(held.orgId, held.userId)], end.text);
      await this.messages.finishAnswer(
        job,
        held.answerId,
        { text: end.text, sequence: conversation.sequence, searchKeys: keys },
        tx,
      );
      this.record(tx, { generation: finished, conversation, outcome: end.status, isFinal: true, usage, now });
      return true;
    });
  }

  /**
   * Takes a dead worker's attempt over: that one is recorded as interrupted, the new one begins. Null when another
   * worker was faster.
   */
  async restart(dead: Generation, lease: Lease): Promise<Generation | null> {
    const now = new Date();
    return this.work.run(writing(dead), async (tx) => {
      const generation = await this.generations.claim(job, dead, lease, tx);
      if (!generation) return null;
      const conversation = await this.conversations.recordGeneration(
        job,
        dead.conversationId,
        { isFinal: false, now },
        tx,
      );
      if (!conversation) return null;
      await this.messages.touch(job, dead.answerId, conversation.sequence, tx);
      const usage = { inputTokens: 0, outputTokens: estimateTokens(dead.text), estimated: true };
      this.record(tx, { generation: dead, conversation, outcome: 'interrupted', isFinal: false, usage, now });
      return generation;
    });
  }

  private record(
    tx: Transaction,
    of: {
      generation: Generation;
      conversation: StoredConversation;
      outcome: FinalStatus;
      isFinal: boolean;
      usage: Usage;
      now: Date;
    },
  ): void {
    const { generation, conversation, usage, now } = of;
    const { orgId, conversationId, answerId, userId, modelKey, queuedAt, startedAt, firstTokenAt } = generation;
    const since = (moment: Date | null) => Math.max(0, (moment ?? now).getTime() - (startedAt ?? queuedAt).getTime());
    tx.record(
      generationAttemptEnded,
      {
        orgId,
        conversationId,
        memberIds: [conversation.ownerId],
        generationId: generation._id,
        answerId,
        userId,
        model: modelKey,
        attempt: generation.epoch,
        outcome: of.outcome,
        final: of.isFinal,
        ...usage,
        queuedMs: Math.max(0, (startedAt ?? now).getTime() - queuedAt.getTime()),
        firstTokenMs: firstTokenAt && since(firstTokenAt),
        durationMs: since(now),
      },
      { sequence: conversation.sequence },
    );
  }
}
