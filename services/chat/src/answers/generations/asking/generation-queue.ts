import { Injectable } from '@nestjs/common';
import { Doorbell } from '@parley/platform/doorbell';
import { AnswerLimits } from './answer-limits.ts';
import { FirstWords } from '../../titles/index.ts';
import type { Generation } from '../rows/generation.collection.ts';
import type { Lease } from '../rows/generations.repository.ts';
import type { PreparedAnswer } from './prepare-answer.ts';

/** Rings when a stored question found no free worker in its own process. */
export const questionsWaiting = 'chat:questions-waiting';
/** Rings when someone requested a stop. */
export const stopsWanted = 'chat:generation-stops';

/** The organisation and person who ask for a slot. */
export type SlotWish = Pick<Generation, 'orgId' | 'userId'>;
/** A worker's free slot, reserved for one answer. Exactly one of its three functions ends the reservation. */
export type Slot = {
  /** Store a generation as running under this lease to claim it. */
  readonly lease: Lease;
  /** Writes the answer of a generation that is stored under the lease. */
  write(claimed: Generation, preparing: Promise<PreparedAnswer>): void;
  /** Claims a stored generation if it is still free, then writes its answer. */
  takeOver(seen: Generation): void;
  release(): void;
};
/** Returns null if all slots are taken, the organisation's flow has half of them, or the person a tenth. */
export type Reserve = (wish: SlotWish) => Slot | null;

/**
 * Finds a worker of this process for a question. If none is free, rings the workers of other processes; at the latest a
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

  /** Rings for a waiting question: a worker of another process can have a free slot. */
  ring(): void {
    this.doorbell.ring(questionsWaiting);
  }

  addWorker(reserve: Reserve): () => void {
    this.workers.add(reserve);
    return () => this.workers.delete(reserve);
  }
}
