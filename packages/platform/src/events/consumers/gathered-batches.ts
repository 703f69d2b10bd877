import { setTimeout as wait } from 'node:timers/promises';
import type { EventBatch } from '../event-bus/event-bus.ts';

/** Collects the batches that several topics deliver within a time, and passes them on together. */
export class GatheredBatches {
  private waiting: EventBatch[] = [];
  private next: Promise<void> | null = null;

  constructor(
    private readonly gatherMs: number,
    private readonly take: (batches: readonly EventBatch[]) => Promise<void>,
  ) {}

  /**
   * Adds a batch. Resolves when the batch and all that are passed on with it are handled. A full batch isn't delayed,
   * because it means that there is much to catch up with.
   */
  add(batch: EventBatch, isFull: boolean): Promise<void> {
    if (this.gatherMs === 0) return this.take([batch]);
    this.waiting.push(batch);
    this.next ??= this.handOn(isFull ? 0 : this.gatherMs);
    return this.next;
  }

  private async handOn(ms: number): Promise<void> {
    await wait(ms);
    this.next = null;
    await this.take(this.waiting.splice(0));
  }
}
