import type { Logger } from '../../base/logging/index.ts';
import type { Topic } from '@parley/protocol';

const remembered = 10_000;
type Seen = { readonly shard: number; readonly sequence: number };
/** `shard` is the outbox shard that a relay read the event from; absent for records of the embedded log. */
export type Numbered = {
  readonly topic: Topic;
  readonly subject: string;
  readonly sequence: number;
  readonly shard?: number;
};

/**
 * Watches that the sequences published for a subject are contiguous; a gap is a fault of who numbered them and is
 * logged. Of a shard that was away nothing is known any more: another relay may have published what lies between.
 */
export class SequenceCheck {
  private readonly last = new Map<string, Seen>();

  constructor(private readonly logger: Logger) {}

  /** What follows in this shard need not follow what was seen of it. */
  forget(shard: number): void {
    for (const [subject, seen] of this.last) if (seen.shard === shard) this.last.delete(subject);
  }

  /** False on a gap. A repeated row is none. */
  check({ topic, subject, sequence, shard = 0 }: Numbered): boolean {
    const last = this.last.get(subject)?.sequence;
    if (last !== undefined && sequence <= last) return true;
    this.last.delete(subject);
    this.last.set(subject, { shard, sequence });
    if (this.last.size > remembered) this.last.delete(this.last.keys().next().value!);
    const isContiguous = last === undefined || sequence === last + 1;
    if (!isContiguous) this.logger.error({ topic, subject, sequence, last }, 'the sequence of a subject has a gap');
    return isContiguous;
  }
}
