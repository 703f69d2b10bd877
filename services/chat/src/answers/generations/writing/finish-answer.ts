import { Injectable } from '@nestjs/common';
import { generationAttemptEnded, type GenerationFailure, type Usage } from '@parley/contracts';
import { Clock } from '@parley/platform/clock';
import { jobScope, type Transaction } from '@parley/platform/mongo';
import { job, Work, type Actor } from '@parley/platform/work';
import {
  ConversationsRepository,
  MessagesRepository,
  recordQueue,
  searchKeysOf,
  standingOf,
  type Standing,
  type StoredConversation,
} from '../../../conversations/index.ts';
import { TitleWriter } from '../../titles/index.ts';
import { AnswerLimits } from '../asking/answer-limits.ts';
import { withoutWords, type AnswerEnd } from '../rows/answer-end.ts';
import type { Attempt, Generation } from '../rows/generation.collection.ts';
import { endedAttempt, estimateTokens, isRefusal } from '../rows/generation.ts';
import { attemptTold } from '../rows/generation-events.ts';
import { ownTextOf } from '../rows/continuation.ts';
import { GenerationsRepository, type FallbackModel, type Lease } from '../rows/generations.repository.ts';
import { remainsOf, type Remains } from './remains.ts';

/** How the answer ended; `sequence` is the conversation's, `leaf` the answer's place among the branches. */
export type Ended = Pick<AnswerEnd, 'status'> &
  Pick<StoredConversation, 'sequence'> & { readonly leaf: Standing | null };

/**
 * Estimates the usage of an attempt whose worker is gone. Its input is 0 unless a checkpoint shows that its model was
 * asked.
 */
const lostUsage = ({ sent, epoch }: Generation, written: string): Usage => ({
  inputTokens: sent?.epoch === epoch ? sent.inputTokens : 0,
  outputTokens: estimateTokens(written),
  estimated: true,
});
/**
 * Returns whether the answer's model can write a title. The built-in assistant writes none, and an interrupted answer's
 * process can't ask for one.
 */
const givesTitle = ({ upstream }: Generation, { status, text }: AnswerEnd): boolean =>
  upstream !== null && status !== 'interrupted' && text !== '';
/**
 * Marks a refused answer without own words, and an answer that contains all text of the answer it continues: each is
 * shown instead of that other answer.
 */
const versionOf = ({ continued }: Generation, { text, failure }: AnswerEnd) => {
  const hasOwnWords = text !== (continued?.text ?? '');
  const isRefused = !hasOwnWords && isRefusal(failure);
  return {
    ...(isRefused && { isRefused }),
    ...(continued && (hasOwnWords || isRefused) && { lengthens: continued.answerId }),
  };
};
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
    readonly titles: TitleWriter,
  ) {}

  /** Returns null if the lease was lost: then nothing was stored. */
  async finish(held: Generation, end: AnswerEnd): Promise<Ended | null> {
    const now = this.clock.now();
    const written = ownTextOf({ ...held, text: end.text });
    const usage = end.usage ?? { inputTokens: 0, outputTokens: estimateTokens(written), estimated: true };
    const attempt = endedAttempt(
      { ...held, firstTokenAt: end.firstTokenAt },
      { outcome: end.status, failure: end.failure, isFinal: true, usage, now },
    );
    const keys = searchKeysOf({ role: 'assistant', text: end.text });
    const isQueueHeld = end.status === 'failed' || end.status === 'interrupted';
    const wrote = this.titles.wrote(held);
    const ended = await this.work.run(worker(held), async (tx) => {
      const finished = await this.generations.finish(scope, { held, end: { ...end, usage }, attempt }, tx);
      if (!finished) return null;
      const { conversationId: id, answerId: lastAnswerId, chatbot } = held;
      const recorded = { id, ended: { lastAnswerId, isQueueHeld, ...(chatbot && { chatbotId: chatbot.id }) }, now };
      const conversation = await this.conversations.recordAnswer(scope, recorded, tx);
      if (!conversation) return null;
      const row = await this.messages.finishAnswer(
        scope,
        {
          id: held.answerId,
          text: end.text,
          sequence: conversation.sequence,
          searchKeys: keys,
          ...versionOf(held, end),
        },
        tx,
      );
      const told = attemptTold(conversation, held, attempt);
      tx.record(generationAttemptEnded, told, { sequence: conversation.sequence });
      if (conversation.queued && isQueueHeld) recordQueue(tx, conversation);
      const named = wrote && (await this.titles.record(held, { conversation, wrote }, tx));
      if (!named && conversation.titling === 'open' && givesTitle(held, end))
        await this.conversations.askForTitle(scope, conversation._id, tx);
      return { status: end.status, sequence: (named ?? conversation).sequence, leaf: row && standingOf(row) };
    });
    if (ended) this.limits.end(held);
    if (ended && wrote) this.titles.stored(held);
    return ended;
  }

  /**
   * Ends an attempt whose model failed before its first word, and begins the next on another model. Returns null if the
   * lease was lost.
   */
  async fallBack(
    held: Generation,
    { model, failure, usage }: { model: FallbackModel; failure: GenerationFailure; usage: Usage },
  ): Promise<Generation | null> {
    const ended = endedAttempt(held, { outcome: 'failed', failure, isFinal: false, usage, now: this.clock.now() });
    const fellBackFrom = { label: held.modelLabel, failure };
    return this.next(held, ended, (tx) => this.generations.fallBack(scope, { held, model, fellBackFrom, ended }, tx));
  }

  /**
   * Takes a dead worker's attempt over: records it as interrupted, begins the next attempt, and shows the old text
   * until that attempt's first word. Returns null if another worker was faster.
   */
  async restart(
    dead: Generation,
    lease: Lease,
    { written, ...shown }: Remains = remainsOf(dead, []),
  ): Promise<Generation | null> {
    const now = this.clock.now();
    const usage = lostUsage(dead, written);
    const attempt = endedAttempt(dead, { outcome: 'interrupted', isFinal: false, usage, now });
    return this.next(dead, attempt, (tx) =>
      this.generations.claim(
        scope,
        { seen: dead, lease, ended: attempt, now, ...(shown.text !== dead.text && { shown }) },
        tx,
      ),
    );
  }

  /**
   * Ends an answer whose attempts two workers lost, with its remaining text; returns null if its holder or another
   * worker was faster.
   */
  giveUp(dead: Generation, { text, written }: Remains): Promise<Ended | null> {
    const { citations, firstTokenAt } = dead;
    const end = { ...withoutWords('interrupted', dead), text, citations, firstTokenAt };
    return this.finish(dead, { ...end, usage: lostUsage(dead, written) });
  }

  /** Begins the next attempt. Returns null if it can't begin, and then stores nothing. */
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
