import { Injectable } from '@nestjs/common';
import { Counts } from '@parley/platform/counts';
import { isDuplicateKey } from '@parley/platform/mongo';
import type { Generation } from '../rows/generation.collection.ts';

/** Longer than nearly all answers wait and run. An answer whose process died counts for this long. */
const countedMs = 15 * 60_000;
type Asked = Pick<Generation, '_id' | 'orgId' | 'userId'>;

/** Limits the running and waiting answers of a person and of an organisation. */
@Injectable()
export class AnswerLimits {
  constructor(private readonly counts: Counts) {}

  /** Throws `platform.rate-limited` at the limit. Idempotent: repeating it counts nothing twice. */
  begin(asked: Asked): Promise<void> {
    const begun = this.counts.begin('answers', asked, { member: asked._id, forMs: countedMs });
    begun.catch(() => undefined);
    return begun;
  }

  /** Call it after the transaction that counted it failed. An earlier count under this id stays. */
  undo(asked: Asked, error: unknown): void {
    if (!isDuplicateKey(error)) this.end(asked);
  }

  /** Never waits and never fails: a remaining count ends by itself. */
  end(asked: Asked): void {
    void this.counts.end('answers', asked, asked._id);
  }
}
