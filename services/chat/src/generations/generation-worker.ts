import { liveStreamOf, type GenerationId, type Revocation } from '@parley/contracts';
import type { Shares } from '@parley/platform/fair-turns';
import { isStoreAway, jobScope, type Mongo } from '@parley/platform/mongo';
import type { Platform } from '@parley/platform/service';
import { setTimeout as wait } from 'node:timers/promises';
import type { ChatSettings } from '../chat.config.ts';
import type { Reservations, Reserved } from '../budgets/index.ts';
import { AnswerAttempt } from './answer-attempt.ts';
import { asOriginOf } from './as-origin-of.ts';
import { fallBack } from './fall-back.ts';
import { withoutWords, type AnswerEnd, type Ended, type FinishAnswer } from './finish-answer.ts';
import type { Slot, SlotWish } from './generation-queue.ts';
import type { Generation } from './generation.collection.ts';
import { leaseMs, queueGraceMs, takeoverOf } from './generation.ts';
import type { GenerationsRepository, Lease } from './generations.repository.ts';
import { mayStillAsk } from './may-still-ask.ts';
import type { PrepareAnswer, PreparedAnswer } from './prepare-answer.ts';
import { WaitingAnswers } from './waiting-answers.ts';
import { WorkerSlots, type AnswerSlot } from './worker-slots.ts';

const sweepMs = 1_000;
const checkpointMs = 1_000;
const keepStreamMs = 60_000;
const finishAgainMs = 1_000;
/** After the store was away for all, so long do holders have to renew what ran out meanwhile. */
const renewalMs = 5_000;
/** When only leases that were given back have ended. */
const beforeAllLeases = new Date(1);
/** A grace below zero: another machine's clock may be ahead. */
const ofAnyAge = -60_000;
const scope = jobScope('workers write the answers of all organisations');

export type WorkerParts = {
  readonly platform: Platform;
  readonly mongo: Mongo;
  readonly settings: ChatSettings;
  readonly generations: GenerationsRepository;
  readonly prepare: PrepareAnswer;
  readonly finish: FinishAnswer;
  readonly reservations: Reservations;
  readonly shares: Pick<Shares, 'of' | 'usersOf'>;
};

/**
 * Writes answers, `workerSlots` at a time and half as many of one share, silent ones aside (`WorkerSlots`), and keeps a checkpoint of all of them
 * each second. A question reserves a slot and is stored as claimed; what found no free slot, and what a dead worker
 * left behind, is found by a sweep and claimed by compare-and-set.
 */
export class GenerationWorker {
  private readonly holder: string;
  /** Marks leases of this process: any other holder is dead where one process is all there is. */
  private readonly processMark: string;
  private readonly parts: WorkerParts;
  private readonly running = new Map<GenerationId, AnswerAttempt>();
  private readonly busy = new Set<Promise<void>>();
  readonly slots: WorkerSlots;
  private readonly waiting: WaitingAnswers;
  private timers: NodeJS.Timeout[] = [];
  private checkpointing: Promise<void> | null = null;
  private isStopped = false;
  /** Until a sweep has found nothing of an earlier process, leases that have not ended are looked at too. */
  private mayHaveForebears: boolean;

  constructor(parts: WorkerParts, processMark: string, number: number) {
    this.parts = parts;
    this.slots = new WorkerSlots({ all: parts.settings.workerSlots, silentMs: parts.settings.silentMs });
    this.waiting = new WaitingAnswers({ ...parts, slots: this.slots });
    this.processMark = processMark;
    this.holder = `${processMark}/${number}`;
    this.mayHaveForebears = parts.platform.isAlone;
  }

  start(): void {
    this.timers = [setInterval(() => void this.sweep(), sweepMs), setInterval(() => this.tick(), checkpointMs)];
    void this.sweep();
  }

  /** Answers that are being written now. */
  get activeCount(): number {
    return this.running.size;
  }

  /** What is held in billing for them. */
  get reserved(): Reserved[] {
    return [...this.running.values()].flatMap(({ reservation }) => reservation ?? []);
  }

  /** Null when no slot is free for the share of this organisation. */
  reserve(wish: SlotWish): Slot | null {
    const slot = this.isStopped ? null : this.slots.take(this.waiting.turnOf(wish));
    if (!slot) return null;
    const lease = this.newLease();
    return {
      lease,
      write: (claimed, preparing) => this.track(slot, this.write(claimed, preparing, slot)),
      takeOver: (seen) => this.track(slot, this.takeOver(seen, lease, slot)),
      release: () => slot.release(),
    };
  }

  /** Somebody said that a question waits. */
  lookForQuestions(): void {
    void this.sweep(ofAnyAge);
  }

  /** Ends the answers that somebody wants stopped. */
  async applyStops(): Promise<void> {
    if (this.isStopped) return;
    for (const waiting of await this.parts.generations.listStopRequestedQueued(scope))
      await asOriginOf(waiting, () => this.endWaiting(waiting));
    if (this.running.size === 0) return;
    for (const id of await this.parts.generations.listStopRequested(scope, [...this.running.keys()]))
      this.running.get(id)?.interrupt('stopped');
  }

  /** Who lost the right to be here gets no more words. */
  applyRevocation({ kind, subject }: Revocation): void {
    for (const attempt of this.running.values()) {
      const { orgId, userId } = attempt.generation;
      if (kind === 'user' && subject === userId) attempt.interrupt('stopped');
      const isTouched =
        (kind === 'organisation' && subject === orgId) || (kind === 'membership' && subject === `${orgId}/${userId}`);
      if (isTouched)
        void mayStillAsk(this.parts.platform, attempt.generation).then((may) => may || attempt.interrupt('stopped'));
    }
  }

  /** Takes nothing more; what runs is checkpointed and left to the next worker, which restarts it under a new epoch. */
  async stop(): Promise<void> {
    this.isStopped = true;
    for (const timer of this.timers) clearInterval(timer);
    await this.checkpointing;
    const attempts = [...this.running.values()];
    await this.keep(attempts, null).catch(() => null);
    for (const attempt of attempts) attempt.interrupt('handed-over');
    await Promise.all(this.busy);
  }

  private track(slot: AnswerSlot, work: Promise<void>): void {
    const tracked = work
      .catch((error: unknown) => this.parts.platform.logger.error({ err: error }, 'writing an answer failed'))
      .finally(() => {
        const wasFull = slot.release();
        this.busy.delete(tracked);
        if (wasFull) void this.sweep(ofAnyAge); // Somebody may be waiting for this slot, since a moment ago.
      });
    this.busy.add(tracked);
  }

  /** Goes on while some got a slot and others none: behind those may stand others that get one. */
  private async sweep(graceMs = queueGraceMs): Promise<void> {
    let goesOn = true;
    while (goesOn && !this.isStopped && this.slots.mayTake) goesOn = await this.sweepOnce(graceMs);
  }

  /** Whether some of what it found got a slot, and some none. */
  private async sweepOnce(graceMs: number): Promise<boolean> {
    const now = new Date();
    const leaseEndedBefore = this.mayHaveForebears ? new Date(now.getTime() + 2 * leaseMs) : this.leaseClock();
    const limit = Math.max(1, this.slots.free + this.running.size);
    const someHaveTheirHalf = this.slots.withTheirHalf().length > 0;
    const queuedBefore = new Date(now.getTime() - graceMs);
    const waiting = await this.waiting.inOrder({ queuedBefore, leaseEndedBefore, limit }).catch(() => null);
    if (waiting === null) return false;
    const abandoned = waiting.filter(
      (generation) => !this.running.has(generation._id) && this.takeover(generation) !== 'leave',
    );
    if (abandoned.length === 0 && !someHaveTheirHalf) this.mayHaveForebears = false;
    const slots = abandoned.map((generation) => {
      const slot = this.reserve(generation);
      slot?.takeOver(generation);
      return slot;
    });
    return slots.includes(null) && slots.some((slot) => slot !== null);
  }

  private takeover(generation: Generation): ReturnType<typeof takeoverOf> {
    const isLeaseVoid = this.parts.platform.isAlone && generation.leaseHolder?.startsWith(this.processMark) === false;
    return takeoverOf(generation, { now: this.leaseClock(), isLeaseVoid });
  }

  private leaseClock(): Date {
    return this.parts.mongo.reachedForMs < renewalMs ? beforeAllLeases : new Date();
  }

  private takeOver(seen: Generation, lease: Lease, slot: AnswerSlot): Promise<void> {
    return asOriginOf(seen, () => this.takeOn(seen, lease, slot));
  }

  private async takeOn(seen: Generation, lease: Lease, slot: AnswerSlot): Promise<void> {
    const action = this.takeover(seen);
    if (action === 'leave') return;
    if (action === 'give-up') return this.giveUp(seen);
    // Claimed first: of many workers that see it, one prepares.
    const claimed =
      action === 'claim'
        ? await this.parts.generations.claim(scope, { seen, lease, ended: null, now: new Date() })
        : await this.parts.finish.restart(seen, lease);
    if (!claimed) return;
    const { _id: generationId, epoch } = claimed;
    this.parts.platform.logger.info({ generationId, epoch, action }, 'an answer is taken on');
    await this.begin(claimed, slot);
  }

  private async write(claimed: Generation, preparing: Promise<PreparedAnswer>, slot: AnswerSlot): Promise<void> {
    if (this.isStopped) return; // The next worker restarts it.
    await this.parts.platform.failpoint('claimed-no-frame');
    const { reservations, platform, settings } = this.parts;
    const limits = { stallMs: settings.stallMs, deadlineMs: settings.answerDeadlineMs };
    const { liveStream } = platform;
    const attempt = new AnswerAttempt({ generation: claimed, slot, liveStream, reservations, ...limits });
    this.running.set(claimed._id, attempt);
    let next: Generation | null = null;
    let ended: Ended | null = null;
    try {
      const end = await attempt.run(preparing);
      next = end && (await fallBack(this.parts, claimed, end));
      ended = end && !next ? await this.finish(claimed, end) : null;
      if (ended) attempt.writer.end(ended.status);
    } finally {
      this.running.delete(claimed._id);
      if (!next) this.expireStream(claimed);
    }
    if (next) await this.begin(next, slot);
    // Where others write too, another process may get the next question.
    if (ended && this.parts.platform.isAlone) await this.parts.prepare.readAhead(claimed, ended.sequence);
  }

  private begin(claimed: Generation, slot: AnswerSlot): Promise<void> {
    const preparing = this.parts.prepare.prepare(claimed);
    preparing.catch(() => undefined);
    return this.write(claimed, preparing, slot);
  }

  private expireStream({ conversationId, _id }: Generation): void {
    this.parts.platform.liveStream.expire(liveStreamOf(conversationId, _id), new Date(Date.now() + keepStreamMs));
  }

  /** As what it ended; null when the lease was lost. An end that cannot be written is one without text. */
  private async finish(claimed: Generation, end: AnswerEnd): Promise<Ended | null> {
    try {
      return await this.finishAs(claimed, end);
    } catch (error) {
      if (isStoreAway(error)) throw error;
      this.parts.platform.logger.error({ err: error }, 'the end of an answer could not be written');
      return this.finishAs(claimed, { ...withoutWords('failed', claimed), failure: 'internal', usage: end.usage });
    }
  }

  /** While the store is away the end waits here, so that nobody asks the model again; this process stays the holder. */
  private async finishAs(claimed: Generation, end: AnswerEnd): Promise<Ended | null> {
    for (;;) {
      try {
        return await this.parts.finish.finish(claimed, end);
      } catch (error) {
        if (!isStoreAway(error) || this.isStopped) throw error;
        await wait(finishAgainMs);
      }
    }
  }

  private tick(): void {
    for (const attempt of this.running.values()) attempt.endIfOverdue();
    this.checkpointing ??= this.checkpoint().finally(() => {
      this.checkpointing = null;
    });
  }

  private async checkpoint(): Promise<void> {
    const attempts = [...this.running.values()];
    const kept = await this.keep(attempts, this.newLease()).catch(() => null);
    if (kept) for (const attempt of attempts) attempt.apply(kept.get(attempt.generation._id) ?? null);
  }

  /** Writes what is there of each, so that whoever takes over shows it, and renews the leases or gives them back. */
  private keep(attempts: readonly AnswerAttempt[], lease: Lease | null): ReturnType<GenerationsRepository['keep']> {
    return this.parts.generations.keep(
      scope,
      attempts.map((attempt) => ({ ...attempt.progress(), lease })),
    );
  }

  private newLease(): Lease {
    return { holder: this.holder, until: new Date(Date.now() + leaseMs) };
  }

  private async giveUp(dead: Generation): Promise<void> {
    const { text, citations, firstTokenAt } = dead;
    await this.finish(dead, { ...withoutWords('interrupted', dead), text, citations, firstTokenAt });
  }

  /** Claimed first, so that of many workers that see it one ends it. */
  private async endWaiting(seen: Generation): Promise<void> {
    const claim = { seen, lease: this.newLease(), ended: null, now: new Date() };
    const claimed = await this.parts.generations.claim(scope, claim);
    if (claimed) await this.finish(claimed, withoutWords('stopped', claimed));
  }
}
