import { Injectable } from '@nestjs/common';
import { Doorbell } from '@parley/platform/doorbell';
import { AnswerLimits } from './answer-limits.ts';
import { FirstWords } from '../../titles/index.ts';
import type { Generation } from '../rows/generation.collection.ts';
import type { Lease } from '../rows/generations.repository.ts';
import type { PreparedAnswer } from './prepare-answer.ts';

/** Rung when a question was stored that no worker of the same process could take. */
export const questionsWaiting = 'chat:questions-waiting';
/** Rung when a stop was asked for. */
export const stopsWanted = 'chat:generation-stops';

/** Who asks, for whom the slot is. */
export type SlotWish = Pick<Generation, 'orgId' | 'userId'>;
/** A worker's free slot for one answer. Exactly one of the three calls ends the reservation. */
export type Slot = {
  /** Whoever stores a generation as running under this lease has claimed it. */
  readonly lease: Lease;
  /** Writes the answer of a generation that is stored under the lease. */
  write(claimed: Generation, preparing: Promise<PreparedAnswer>): void;
  /** Claims a stored generation if it still may be had, then writes its answer. */
  takeOver(seen: Generation): void;
  release(): void;
};
/** Null when all slots are taken, the flow of the organisation has its half or the person their tenth of them. */
export type Reserve = (wish: SlotWish) => Slot | null;

/**
 * Where a question finds a worker of this process; without a free one the others are told, and a sweep finds it at the
 * latest.
 */
@Injectable()
export class GenerationQueue {
  private readonly workers = new Set<Reserve>();

  constructor(
    private readonly doorbell: Doorbell,
    /** How many answers can be written or wait at the same time. */
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

  /** A question waits: some worker elsewhere may have a slot. */
  ring(): void {
    this.doorbell.ring(questionsWaiting);
  }

  addWorker(reserve: Reserve): () => void {
    this.workers.add(reserve);
    return () => this.workers.delete(reserve);
  }
}
