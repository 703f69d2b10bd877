import { Injectable } from '@nestjs/common';
import type { Generation } from '../messages/index.ts';

/** Rung when a stop was asked for. */
export const stopsWanted = 'chat:generation-stops';

/** Takes a queued generation if it has a free slot; false otherwise. */
export type Taker = (generation: Generation) => boolean;

/** Hands a just queued generation to a worker of this process; without a free one a sweep finds it in the store. */
@Injectable()
export class GenerationQueue {
  private readonly takers = new Set<Taker>();

  offer(generation: Generation): void {
    if (generation.status !== 'queued') return;
    for (const take of this.takers) if (take(generation)) return;
  }

  addTaker(take: Taker): () => void {
    this.takers.add(take);
    return () => this.takers.delete(take);
  }
}
