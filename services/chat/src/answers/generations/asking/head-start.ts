import type { GenerationId, MessageFile, Model } from '@parley/contracts';
import { setTimeout as wait } from 'node:timers/promises';
import type { Before } from '../rows/ask.ts';
import type { Generation } from '../rows/generation.collection.ts';
import type { Lease } from '../rows/generations.repository.ts';
import type { Answerer } from './answerers.ts';
import type { GenerationQueue, Slot, SlotWish } from './generation-queue.ts';
import type { PreparedAnswer } from './prepare-answer.ts';

/** The reply's delay in ms, so that the request to the model gets out first, even if a model answers immediately. */
const modelsMs = 2;

/** The choices for an answer: who answers and, if the question has files, how they are used on that model. */
export type Chosen = { readonly answerer: Promise<Answerer>; readonly files?: Promise<readonly MessageFile[]> };

/**
 * Starts the work for an answer before its question is stored. Reserves a slot, chooses who answers and, if a slot is
 * free, reads what the answer needs. Exactly one of `handOver`, `handOverFirst` and `release` ends it.
 */
export class HeadStart {
  private readonly slot: Slot | null;
  private readonly began = Promise.withResolvers<Before>();
  private preparing: Promise<PreparedAnswer> | null = null;

  constructor(
    private readonly queue: GenerationQueue,
    private readonly asked: SlotWish & { readonly generationId: GenerationId },
  ) {
    this.slot = queue.reserve(asked);
    this.began.promise.catch(() => undefined);
  }

  /** The slot's lease, under which the generation is stored as running; null if no slot is free: store it as queued. */
  get lease(): Lease | null {
    return this.slot?.lease ?? null;
  }

  /** Resolves with the conversation before the question; rejects if the question is refused. */
  get before(): Promise<Before> {
    return this.began.promise;
  }

  /**
   * Starts to choose who answers, and how the files are used. If a choice is rejected, only callers that await it get
   * the error.
   */
  choose(answerer: Promise<Answerer>, attach?: (model: Model) => Promise<readonly MessageFile[]>): Chosen {
    const files = attach && answerer.then(({ model }) => attach(model));
    for (const early of [answerer, files]) early?.catch(() => undefined);
    return { answerer, ...(files && { files }) };
  }

  /**
   * Starts to read what the answer needs if this process writes it. Call it after the transaction has started, so that
   * the transaction's first write doesn't wait behind these reads. A failed read fails the answer, not the question.
   */
  prepare(read: () => Promise<PreparedAnswer>): void {
    if (!this.slot) return;
    this.preparing = read();
    this.preparing.catch(() => undefined);
  }

  /**
   * Resolves `before` in the next turn of the event loop, so that the writes that the transaction waits for are sent
   * first.
   */
  begin(before: Before): void {
    setImmediate(this.began.resolve, before);
  }

  /**
   * Passes the prepared answer to a worker of this process. Without a reserved slot, wakes the other workers and
   * returns false.
   */
  handOver(stored: Generation): boolean {
    if (this.slot && this.preparing) {
      this.slot.write(stored, this.preparing);
      return true;
    }
    this.queue.ring();
    return false;
  }

  /** Calls `handOver`, and resolves when the reply can be sent after the request to the model. */
  async handOverFirst(stored: Generation): Promise<void> {
    if (this.handOver(stored)) await wait(modelsMs);
  }

  /** Gives the slot back and drops the prepared reads, because nothing was stored. */
  release(reason: unknown): void {
    this.slot?.release();
    this.began.reject(reason);
  }

  /** Undoes the count of the answer after its transaction failed with this error. */
  uncount(error: unknown): void {
    const { generationId: _id, orgId, userId } = this.asked;
    this.queue.limits.undo({ _id, orgId, userId }, error);
  }
}
