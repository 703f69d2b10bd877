import type { Logger } from '../../base/logging/index.ts';
import type { Topic } from '@parley/protocol';

const remembered = 10_000;
type Seen = { readonly shard: number; readonly sequence: number };
/** `shard`: the outbox shard that a relay read the event from; missing for records of the embedded log. */
export type Numbered = {
  readonly topic: Topic;
  readonly subject: string;
  readonly sequence: number;
  readonly shard?: number;
};

/**
 * Checks that published sequences of a subject have no gaps. A gap is an error in numbering and is logged. If this
 * relay lost a shard and got it back, earlier sequences don't count, because another relay can have published the
 * events in between.
 */
export class SequenceCheck {
  private readonly last = new Map<string, Seen>();

  constructor(private readonly logger: Logger) {}

  /** Forgets what was seen of this shard, because the next events need not follow it. */
  forget(shard: number): void {
    for (const [subject, seen] of this.last) if (seen.shard === shard) this.last.delete(subject);
  }

  /** Checks an event, and returns false for a gap. A repeated row isn't a gap. */
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
