import { Injectable } from '@nestjs/common';
import { Doorbell } from '@parley/platform/doorbell';
import { AnswerLimits } from './answer-limits.ts';
import { FirstWords } from '../../titles/index.ts';
import type { Generation } from '../rows/generation.collection.ts';
import type { Lease } from '../rows/generations.repository.ts';
import type { PreparedAnswer } from './prepare-answer.ts';

/** Names the doorbell that rings when a stored question found no free worker in its own process. */
export const questionsWaiting = 'chat:questions-waiting';
/** Names the doorbell that rings when someone requested a stop. */
export const stopsWanted = 'chat:generation-stops';

/** The organisation and person who ask for a slot. */
export type SlotWish = Pick<Generation, 'orgId' | 'userId'>;
/** A worker's free slot, reserved for one answer. Exactly one of the three functions below ends the reservation. */
export type Slot = {
  /** Store a generation as running under this lease to claim it. */
  readonly lease: Lease;
  /** Writes the answer of a generation that is stored under the lease. */
  write(claimed: Generation, preparing: Promise<PreparedAnswer>): void;
  /** Claims a stored generation if it is still free, then writes its answer. */
  takeOver(seen: Generation): void;
  release(): void;
};
/**
 * Returns null if no slot is free: all are taken, half of them by the organisation's flow (its share of capacity), or a
 * tenth by the person.
 */
export type Reserve = (wish: SlotWish) => Slot | null;

/**
 * Finds a worker of this process for a question. If none is free, wakes the workers of other processes; at the latest a
 * sweep finds the question.
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

  /** Wakes workers of other processes for a waiting question, because one of them can have a free slot. */
  ring(): void {
    this.doorbell.ring(questionsWaiting);
  }

  addWorker(reserve: Reserve): () => void {
    this.workers.add(reserve);
    return () => this.workers.delete(reserve);
  }
}
