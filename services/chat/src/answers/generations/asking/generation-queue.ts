import { Injectable } from '@nestjs/common';
import { Doorbell } from '@parley/platform/doorbell';
import { AnswerLimits } from './answer-limits.ts';
import { FirstWords } from '../../titles/index.ts';
import type { Generation } from '../rows/generation.collection.ts';
import type { Lease } from '../rows/generations.repository.ts';
import type { PreparedAnswer } from './prepare-answer.ts';

/** Rings when a question was stored that no worker of the same process could take. */
export const questionsWaiting = 'chat:questions-waiting';
/** Rings when a stop was requested. */
export const stopsWanted = 'chat:generation-stops';

/** The person who asks, and gets the slot. */
export type SlotWish = Pick<Generation, 'orgId' | 'userId'>;
/** A worker's free slot for one answer. Exactly one of the three calls ends the reservation. */
export type Slot = {
  /** Storing a generation as running under this lease claims it. */
  readonly lease: Lease;
  /** Writes the answer of a generation that is stored under the lease. */
  write(claimed: Generation, preparing: Promise<PreparedAnswer>): void;
  /** Claims a stored generation if it is still free, then writes its answer. */
  takeOver(seen: Generation): void;
  release(): void;
};
/**
 * Returns null if all slots are taken, or if the flow of the organisation has its half of them or the person their
 * tenth.
 */
export type Reserve = (wish: SlotWish) => Slot | null;

/**
 * Where a question finds a worker of this process. Without a free one the others are rung, and at the latest a sweep
 * finds it.
 */
@Injectable()
export class GenerationQueue {
  private readonly workers = new Set<Reserve>();

  constructor(
    private readonly doorbell: Doorbell,
    /** Limits the running and waiting answers. */
    readonly limits: AnswerLimits,
    /** Counts the answers of this process whose first word is still to come. */
    readonly firstWords: FirstWords,
  ) {}

  reserve(wish: SlotWish): Slot | null {
    for (const reserve of this.workers) {
      const slot = reserve(wish);
      if (slot) return slot;
    }
    return null;
  }

  /** Rings for a waiting question: another worker can have a slot. */
  ring(): void {
    this.doorbell.ring(questionsWaiting);
  }

  addWorker(reserve: Reserve): () => void {
    this.workers.add(reserve);
    return () => this.workers.delete(reserve);
  }
}
