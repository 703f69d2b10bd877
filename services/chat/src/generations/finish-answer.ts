import { Injectable } from '@nestjs/common';
import {
  generationAttemptEnded,
  type Citation,
  type GenerationFailure,
  type Thoughts,
  type Usage,
} from '@parley/contracts';
import { Clock } from '@parley/platform/clock';
import { jobScope, type Transaction } from '@parley/platform/mongo';
import { searchKeys } from '@parley/platform/text';
import { job, Work, type Actor } from '@parley/platform/work';
import { ConversationsRepository, MessagesRepository, type StoredConversation } from '../conversations/index.ts';
import { AnswerLimits } from './answer-limits.ts';
import type { Attempt, Generation } from './generation.collection.ts';
import { endedAttempt, estimateTokens, type FinalStatus } from './generation.ts';
import { attemptTold } from './generation-events.ts';
import { ownTextOf } from './continuation.ts';
import { GenerationsRepository, type FallbackModel, type Lease } from './generations.repository.ts';
import { remainsOf, type Remains } from './remains.ts';

export type AnswerEnd = {
  readonly status: FinalStatus;
  readonly text: string;
  readonly citations: readonly Citation[];
  readonly thoughts: Thoughts | null;
  readonly usage: Usage | null;
  readonly failure: GenerationFailure | null;
  readonly failureDetail: string | null;
  readonly firstTokenAt: Date | null;
  /** The budget had room for a shorter answer only. */
  readonly limitedBy?: 'budget';
  /** Of a trial: what was found for it. */
  readonly found?: NonNullable<Generation['found']>;
  /** Of a program's question: it reached what it may be. */
  readonly isCut?: boolean;
};
/** As what it ended; `sequence` is what the conversation has by it. */
export type Ended = Pick<AnswerEnd, 'status'> & Pick<StoredConversation, 'sequence'>;

/** An end without a word of its own: what it continues is all there is. */
export const withoutWords = (status: FinalStatus, { continued }: Pick<Generation, 'continued'>): AnswerEnd => ({
  status,
  text: continued?.text ?? '',
  citations: continued?.citations ?? [],
  thoughts: null,
  usage: null,
  failure: null,
  failureDetail: null,
  firstTokenAt: null,
});
/** Of an attempt whose worker tells nothing any more. */
const writtenUsage = (written: string): Usage => ({
  inputTokens: 0,
  outputTokens: estimateTokens(written),
  estimated: true,
});
const scope = jobScope('workers write the answers of all organisations');
const worker = ({ userId }: Generation): Actor => job('writes answers', { onBehalfOf: userId });

/** Ends attempts: state, message, conversation and event in one transaction, fenced by the epoch. */
@Injectable()
export class FinishAnswer {
  constructor(
    private readonly generations: GenerationsRepository,
    private readonly conversations: ConversationsRepository,
    private readonly messages: MessagesRepository,
    private readonly work: Work,
    private readonly clock: Clock,
    private readonly limits: AnswerLimits,
  ) {}

  /** Null when the lease was lost: then nothing was written. */
  async finish(held: Generation, end: AnswerEnd): Promise<Ended | null> {
    const now = this.clock.now();
    const written = ownTextOf({ ...held, text: end.text });
    const usage = end.usage ?? { inputTokens: 0, outputTokens: estimateTokens(written), estimated: true };
    const attempt = endedAttempt(
      { ...held, firstTokenAt: end.firstTokenAt },
      { outcome: end.status, failure: end.failure, isFinal: true, usage, now },
    );
    const keys = searchKeys(end.text);
    const ended = await this.work.run(worker(held), async (tx) => {
      const finished = await this.generations.finish(scope, { held, end: { ...end, usage }, attempt }, tx);
      if (!finished) return null;
      const recorded = { id: held.conversationId, ended: held.answerId, now };
      const conversation = await this.conversations.recordAnswer(scope, recorded, tx);
      if (!conversation) return null;
      await this.messages.finishAnswer(
        scope,
        { id: held.answerId, text: end.text, sequence: conversation.sequence, searchKeys: keys },
        tx,
      );
      const told = attemptTold(conversation, held, attempt);
      tx.record(generationAttemptEnded, told, { sequence: conversation.sequence });
      return { status: end.status, sequence: conversation.sequence };
    });
    if (ended) this.limits.end(held);
    return ended;
  }

  /**
   * Ends an attempt whose model failed before its first word, and begins the next on another model. Null when the lease
   * was lost.
   */
  async fallBack(
    held: Generation,
    { model, failure, usage }: { model: FallbackModel; failure: GenerationFailure; usage: Usage },
  ): Promise<Generation | null> {
    const ended = endedAttempt(held, { outcome: 'failed', isFinal: false, usage, now: this.clock.now() });
    const fellBackFrom = { label: held.modelLabel, failure };
    return this.next(held, ended, (tx) => this.generations.fallBack(scope, { held, model, fellBackFrom, ended }, tx));
  }

  /**
   * Takes a dead worker's attempt over: that one is recorded as interrupted, the new one begins, and what remains of the
   * old one is shown until its first word. Null when another worker was faster.
   */
  async restart(
    dead: Generation,
    lease: Lease,
    { written, ...shown }: Remains = remainsOf(dead, []),
  ): Promise<Generation | null> {
    const now = this.clock.now();
    const usage = writtenUsage(written);
    const attempt = endedAttempt(dead, { outcome: 'interrupted', isFinal: false, usage, now });
    return this.next(dead, attempt, (tx) =>
      this.generations.claim(
        scope,
        { seen: dead, lease, ended: attempt, now, ...(shown.text !== dead.text && { shown }) },
        tx,
      ),
    );
  }

  /** Ends what two workers have lost, with what remains of it; null when its holder or another worker was faster. */
  giveUp(dead: Generation, { text, written }: Remains): Promise<Ended | null> {
    const { citations, firstTokenAt } = dead;
    const end = { ...withoutWords('interrupted', dead), text, citations, firstTokenAt };
    return this.finish(dead, { ...end, usage: writtenUsage(written) });
  }

  /** Null where nothing could be begun: then nothing is written. */
  private next(
    before: Generation,
    attempt: Attempt,
    begin: (tx: Transaction) => Promise<Generation | null>,
  ): Promise<Generation | null> {
    return this.work.run(worker(before), async (tx) => {
      const begun = await begin(tx);
      if (!begun) return null;
      const recorded = { id: before.conversationId, ended: null, now: attempt.at };
      const conversation = await this.conversations.recordAnswer(scope, recorded, tx);
      if (!conversation) return null;
      await this.messages.touch(scope, { id: before.answerId, sequence: conversation.sequence }, tx);
      const told = attemptTold(conversation, before, attempt);
      tx.record(generationAttemptEnded, told, { sequence: conversation.sequence });
      return begun;
    });
  }
}
