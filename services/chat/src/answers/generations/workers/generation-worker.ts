import { liveStreamOf, type Revocation } from '@parley/contracts';
import { FairTurns, type Flows, type FlowKey } from '@parley/platform/fair-turns';
import { isStoreAway, jobScope, type Mongo } from '@parley/platform/mongo';
import type { Platform } from '@parley/platform/service';
import { setTimeout as wait } from 'node:timers/promises';
import type { ChatSettings } from '../../../chat.config.ts';
import type { Reservations, Reserved } from '../../../assistants/budgets/index.ts';
import { AnswerAttempt } from '../writing/answer-attempt.ts';
import { AttemptsInHand } from './attempts-in-hand.ts';
import { asOriginOf } from './as-origin-of.ts';
import { fallBack } from './fall-back.ts';
import { withoutWords, type AnswerEnd } from '../rows/answer-end.ts';
import type { Ended, FinishAnswer } from '../writing/finish-answer.ts';
import type { Slot, SlotWish } from '../asking/generation-queue.ts';
import type { Generation } from '../rows/generation.collection.ts';
import { isGivenBack } from '../rows/generation.ts';
import type { GenerationsRepository, Lease } from '../rows/generations.repository.ts';
import { mayStillAsk } from './may-still-ask.ts';
import type { FirstWords } from '../../titles/index.ts';
import type { PrepareAnswer, PreparedAnswer } from '../asking/prepare-answer.ts';
import { readRemains } from '../writing/remains.ts';
import { holderOf, type SignsOfLife } from './signs-of-life.ts';
import { storeEnd } from '../writing/store-end.ts';
import { Takeovers } from './takeovers.ts';
import { WaitingAnswers } from './waiting-answers.ts';
import type { ProcessTime } from '../writing/process-time.ts';

const sweepMs = 1_000;
const keepStreamMs = 60_000;
const prepareAgainMs = 1_000;
const scope = jobScope('workers write the answers of all organisations');

export type WorkerParts = {
  readonly platform: Platform;
  readonly mongo: Mongo;
  readonly settings: ChatSettings;
  readonly generations: GenerationsRepository;
  readonly prepare: PrepareAnswer;
  readonly finish: FinishAnswer;
  readonly reservations: Reservations;
  readonly flows: Pick<Flows, 'keyOf' | 'except'>;
  readonly signs: SignsOfLife;
  readonly time: ProcessTime;
  readonly firstWords: FirstWords;
};

/** A slot of a worker: whose turns (flow, organisation, person) its answer takes, and how to free it. */
type Held = { readonly key: FlowKey; readonly release: () => void };

/**
 * Writes answers: `workerSlots.all` at a time, at most `ofFlow` of one flow (a share of capacity that organisations
 * belong to) and `ofPerson` of one person. A question reserves a slot and is stored as claimed. A sweep finds questions
 * that got no slot, and answers of workers without a sign of life (`Takeovers`), and claims them by compare-and-set.
 */
export class GenerationWorker {
  private readonly parts: WorkerParts;
  private readonly inHand: AttemptsInHand;
  private readonly busy = new Set<Promise<void>>();
  readonly turns: FairTurns;
  private readonly waiting: WaitingAnswers;
  private readonly takeovers: Takeovers;
  private readonly countInterrupted: () => void;
  private readonly countTakenOver: () => void;
  private sweeping: NodeJS.Timeout | null = null;
  /** The number of running answers that the last sweep found and left to the workers that hold them. */
  private leftAlone = 0;
  private isStopped = false;

  constructor(parts: WorkerParts, number: number) {
    const { platform, generations, signs } = parts;
    this.parts = parts;
    const whileBusy = () => platform.revocations.onRevoked((revocation) => this.applyRevocation(revocation));
    this.inHand = new AttemptsInHand({ generations, holder: holderOf(signs.processMark, number), whileBusy });
    this.takeovers = new Takeovers(parts);
    this.countInterrupted = platform.metrics.counter('parley_generation_interrupted_total', { service: 'chat' });
    this.countTakenOver = platform.metrics.counter('parley_generation_taken_over_total', { service: 'chat' });
    this.turns = new FairTurns(parts.settings.workerSlots);
    this.waiting = new WaitingAnswers({ ...parts, turns: this.turns });
    signs.add(() => ({ held: this.inHand.ids, isClaiming: this.turns.count > this.inHand.size }));
  }

  start(): void {
    this.sweeping = setInterval(() => void this.sweep(), sweepMs);
    this.inHand.start();
    void this.sweep();
  }

  /** Returns the number of running answers. */
  get activeCount(): number {
    return this.inHand.size;
  }

  /** Returns the budget that running answers have reserved in billing. */
  get reserved(): Reserved[] {
    return this.inHand.all.flatMap(({ reservation }) => reservation ?? []);
  }

  /** Reserves a slot; null if none is free for this person or the flow (share of capacity) of the organisation. */
  reserve(wish: SlotWish): Slot | null {
    const key = this.waiting.keyOf(wish);
    const release = this.isStopped ? null : this.turns.begin(key);
    if (!release) return null;
    const slot = { key, release };
    const lease = this.inHand.newLease();
    return {
      lease,
      write: (claimed, preparing) => this.track(slot, this.write(claimed, preparing, slot)),
      takeOver: (seen) => this.track(slot, this.takeOver(seen, lease, slot)),
      release,
    };
  }

  /** Call it when a question waits. Resolves once each found answer got a slot or was left alone; never rejects. */
  lookForQuestions(): Promise<void> {
    return this.sweep();
  }

  /** Ends the answers whose stop was requested. */
  async applyStops(): Promise<void> {
    if (this.isStopped) return;
    for (const waiting of await this.parts.generations.listStopRequestedQueued(scope))
      await asOriginOf(waiting, () => this.endWaiting(waiting));
    if (this.inHand.size === 0) return;
    for (const id of await this.parts.generations.listStopRequested(scope, this.inHand.ids))
      this.inHand.get(id)?.interrupt('stopped');
  }

  /** Stops answers of people who lost their permission. */
  applyRevocation({ kind, subject }: Revocation): void {
    for (const attempt of this.inHand.all) {
      const { orgId, userId } = attempt.generation;
      if (kind === 'user' && subject === userId) attempt.interrupt('stopped');
      const isTouched =
        (kind === 'organisation' && subject === orgId) || (kind === 'membership' && subject === `${orgId}/${userId}`);
      if (isTouched)
        void mayStillAsk(this.parts.platform, attempt.generation).then((may) => may || attempt.interrupt('stopped'));
    }
  }

  /** Takes no more answers and checkpoints running ones, which the next worker restarts under a new epoch. */
  async stop(): Promise<void> {
    this.isStopped = true;
    if (this.sweeping) clearInterval(this.sweeping);
    await this.inHand.giveBack();
    for (const attempt of this.inHand.all) attempt.interrupt('handed-over');
    await Promise.all(this.busy);
  }

  private track(slot: Held, work: Promise<void>): void {
    const tracked = work
      .catch((error: unknown) => this.parts.platform.logger.error({ err: error }, 'writing an answer failed'))
      .finally(() => {
        const mayBeWaitedFor = this.turns.isFullFor(slot.key);
        slot.release();
        this.busy.delete(tracked);
        if (mayBeWaitedFor) void this.sweep(); // Somebody may be waiting for this slot.
      });
    this.busy.add(tracked);
  }

  /** Sweeps until all found answers got a slot, or none did: after some did, answers that come later may get one. */
  private async sweep(): Promise<void> {
    let goesOn = true;
    while (goesOn && !this.isStopped && this.turns.free > 0) goesOn = await this.sweepOnce();
  }

  /** Returns true if some of the found answers got a slot, and some none. */
  private async sweepOnce(): Promise<boolean> {
    const { takeovers, leftAlone } = this;
    if (!(await this.mayFindSome())) {
      takeovers.foundNothing();
      return false;
    }
    const { leaseEndedBefore } = takeovers;
    const limit = this.turns.free + this.inHand.size;
    const someWait = this.turns.fullFlows.length + this.turns.fullPersons.length > 0;
    const waiting = await this.waiting.inOrder({ leaseEndedBefore, limit, leftAlone }).catch(() => null);
    if (waiting === null) return false;
    await takeovers.look(waiting);
    const abandoned = waiting.filter(
      (generation) => !this.inHand.get(generation._id) && takeovers.of(generation) !== 'leave',
    );
    this.leftAlone = waiting.length - abandoned.length;
    if (abandoned.length === 0 && !someWait) takeovers.foundNothing();
    const slots = abandoned.map((generation) => {
      const slot = this.reserve(generation);
      slot?.takeOver(generation);
      return slot;
    });
    return slots.includes(null) && slots.some((slot) => slot !== null);
  }

  /** Returns true if a sweep could find answers: usually there are none while this worker writes none. */
  private async mayFindSome(): Promise<boolean> {
    return this.turns.count > 0 || this.parts.generations.hasUnfinished(scope).catch(() => true);
  }

  private takeOver(seen: Generation, lease: Lease, slot: Held): Promise<void> {
    return asOriginOf(seen, () => this.takeOn(seen, lease, slot));
  }

  private async takeOn(seen: Generation, lease: Lease, slot: Held): Promise<void> {
    const action = this.takeovers.of(seen);
    if (action === 'leave') return;
    if (action === 'give-up') return this.giveUp(seen);
    const { finish, generations, platform } = this.parts;
    // Claim first: of many workers that see an answer, only one prepares it.
    const claimed =
      action === 'claim'
        ? await generations.claim(scope, { seen, lease, ended: null, now: new Date() })
        : await finish.restart(seen, lease, await readRemains(platform.liveStream, seen));
    if (!claimed) return;
    const { _id: generationId, epoch } = claimed;
    const isTakenOver = action === 'restart' && !isGivenBack(seen);
    if (isTakenOver) this.countTakenOver();
    platform.logger[isTakenOver ? 'warn' : 'info']({ generationId, epoch, action }, 'an answer is taken on');
    await this.begin(claimed, slot);
  }

  private async write(claimed: Generation, preparing: Promise<PreparedAnswer>, slot: Held): Promise<void> {
    if (this.isStopped) return; // The next worker restarts it.
    await this.parts.platform.failpoint('claimed-no-frame');
    const { finish, reservations, platform, settings, time, firstWords } = this.parts;
    const limits = { stallMs: settings.stallMs, deadlineMs: settings.answerDeadlineMs };
    // Stores the estimated input immediately, so that it is billed even if the process dies before the first
    // checkpoint. Not awaited: the request to the provider doesn't wait for this write.
    const onSent = (sent: NonNullable<Generation['sent']>) => void this.inHand.keepSent(claimed, sent);
    const isThere = firstWords.expect();
    const onFirstWord = () => {
      isThere();
      if (claimed.givesTitle) finish.titles.begin(claimed, () => attempt.exchange);
    };
    const own = { liveStream: platform.liveStream, reservations, time, onSent, onFirstWord, ...limits };
    const attempt: AnswerAttempt = new AnswerAttempt({ generation: claimed, key: slot.key, ...own });
    this.inHand.add(attempt);
    let next: Generation | null = null;
    let ended: Ended | null = null;
    try {
      const end = await attempt.run(this.prepared(claimed, preparing));
      next = end && (await fallBack(this.parts, claimed, end));
      ended = end && !next ? await this.storeEnd(claimed, end) : null;
      if (ended) attempt.writer.end(ended.status);
    } finally {
      isThere(); // No word may have come.
      finish.titles.end(claimed);
      this.inHand.remove(claimed._id);
      if (!next) this.expireStream(claimed);
    }
    if (next) await this.begin(next, slot);
    // Read ahead only if this process writes all answers: otherwise another process may get the next question.
    if (ended && this.parts.platform.isAlone) await this.parts.prepare.readAhead(claimed, ended);
  }

  private begin(claimed: Generation, slot: Held): Promise<void> {
    const preparing = this.parts.prepare.prepare(claimed);
    preparing.catch(() => undefined);
    return this.write(claimed, preparing, slot);
  }

  private expireStream({ conversationId, _id }: Generation): void {
    this.parts.platform.liveStream.expire(liveStreamOf(conversationId, _id), new Date(Date.now() + keepStreamMs));
  }

  /** Prepares a claimed question, repeatedly until the store answers: its author wants an answer, not a failure. */
  private async prepared(claimed: Generation, preparing: Promise<PreparedAnswer>): Promise<PreparedAnswer> {
    for (let last = preparing; ; last = this.parts.prepare.prepare(claimed)) {
      try {
        return await last;
      } catch (error) {
        if (!isStoreAway(error) || this.isStopped || !this.inHand.get(claimed._id)) throw error;
        await wait(prepareAgainMs);
      }
    }
  }

  private storeEnd(held: Generation, end: AnswerEnd): Promise<Ended | null> {
    const { finish, platform } = this.parts;
    return storeEnd({ finish, logger: platform.logger, mayTryOn: () => !this.isStopped }, held, end);
  }

  /** Ends a lost answer. Tries only once: if the store is unavailable, the holder may live and come back. */
  private async giveUp(dead: Generation): Promise<void> {
    const { finish, platform } = this.parts;
    const remains = await readRemains(platform.liveStream, dead);
    if (!(await finish.giveUp(dead, remains))) return;
    this.countInterrupted();
    const { _id: generationId, epoch } = dead;
    platform.logger.warn({ generationId, epoch, characters: remains.text.length }, 'an answer ended as interrupted');
  }

  /** Ends a queued answer whose stop was requested. Claims it first: only one of many workers ends it. */
  private endWaiting(seen: Generation): Promise<void> {
    return this.inHand.whileEnding(seen._id, async () => {
      const claim = { seen, lease: this.inHand.newLease(), ended: null, now: new Date() };
      const claimed = await this.parts.generations.claim(scope, claim);
      if (claimed) await this.storeEnd(claimed, withoutWords('stopped', claimed));
    });
  }
}
