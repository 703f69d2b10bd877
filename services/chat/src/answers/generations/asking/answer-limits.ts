import { Injectable } from '@nestjs/common';
import { Counts } from '@parley/platform/counts';
import { isDuplicateKey } from '@parley/platform/mongo';
import type { Generation } from '../rows/generation.collection.ts';

/** Longer than nearly all answers wait and are written; one whose process died is counted so long. */
const countedMs = 15 * 60_000;
type Asked = Pick<Generation, '_id' | 'orgId' | 'userId'>;

/** Bounds the answers of a person, and of an organisation, that are being written or wait to be. */
@Injectable()
export class AnswerLimits {
  constructor(private readonly counts: Counts) {}

  /** `platform.rate-limited` where there are as many as there can be. Repeating it counts nothing twice. */
  begin(asked: Asked): Promise<void> {
    const begun = this.counts.begin('answers', asked, { member: asked._id, forMs: countedMs });
    begun.catch(() => undefined);
    return begun;
  }

  /** After the transaction that counted it failed. What was there before under this id goes on being counted. */
  undo(asked: Asked, error: unknown): void {
    if (!isDuplicateKey(error)) this.end(asked);
  }

  /** Never waits and never fails: a count that stays ends by itself. */
  end(asked: Asked): void {
    void this.counts.end('answers', asked, asked._id);
  }
}
