import type { Logger } from '../logging/index.ts';
import type { OutboxRow } from './outbox.schema.ts';

const remembered = 10_000;

/**
 * Watches that the sequences published for a subject are contiguous; a gap is a fault of who numbered them and is
 * logged.
 */
export class SequenceCheck {
  private readonly last = new Map<string, number>();

  constructor(private readonly logger: Logger) {}

  /** False on a gap. A repeated row is none. */
  check({ topic, subject, sequence }: Pick<OutboxRow, 'topic' | 'subject' | 'sequence'>): boolean {
    const last = this.last.get(subject);
    if (last !== undefined && sequence <= last) return true;
    this.last.delete(subject);
    this.last.set(subject, sequence);
    if (this.last.size > remembered) this.last.delete(this.last.keys().next().value!);
    const isContiguous = last === undefined || sequence === last + 1;
    if (!isContiguous) this.logger.error({ topic, subject, sequence, last }, 'the sequence of a subject has a gap');
    return isContiguous;
  }
}
