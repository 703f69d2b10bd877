import { Injectable } from '@nestjs/common';
import { Counts } from '@parley/platform/counts';
import { isDuplicateKey } from '@parley/platform/mongo';
import type { Generation } from '../rows/generation.collection.ts';

/**
 * An unfinished answer counts for this long (ms), longer than nearly all answers wait and run. The answer of a crashed
 * process counts until then.
 */
const countedMs = 15 * 60_000;
type Asked = Pick<Generation, '_id' | 'orgId' | 'userId'>;

/** Limits the running and waiting answers of a person and of an organisation. */
@Injectable()
export class AnswerLimits {
  constructor(private readonly counts: Counts) {}

  /** Counts an answer. Throws `platform.rate-limited` at the limit. Idempotent: a repeated id is counted once. */
  begin(asked: Asked): Promise<void> {
    const begun = this.counts.begin('answers', asked, { member: asked._id, forMs: countedMs });
    begun.catch(() => undefined);
    return begun;
  }

  /**
   * Removes the count of an answer after its transaction failed with `error`. After a duplicate key the count stays,
   * because an earlier call has already stored the answer.
   */
  undo(asked: Asked, error: unknown): void {
    if (!isDuplicateKey(error)) this.end(asked);
  }

  /** Removes the count of an ended answer. Never waits and never fails: a count that stays expires. */
  end(asked: Asked): void {
    void this.counts.end('answers', asked, asked._id);
  }
}
