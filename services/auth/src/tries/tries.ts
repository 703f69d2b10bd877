import { Injectable } from '@nestjs/common';
import { Clock } from '@parley/platform/clock';
import { Counts } from '@parley/platform/counts';
import { hashSecret } from '@parley/platform/crypto';
import { Problem } from '@parley/protocol';

const quarterHourMs = 15 * 60_000;
type Limit = {
  /** Tries per window. */
  readonly most: number;
  /** A quarter of an hour unless given. */
  readonly windowMs?: number;
  /** What whoever tries once more reads. */
  readonly detail: string;
};

/** Counts what is tried with passwords and addresses. */
@Injectable()
export class Tries {
  constructor(
    private readonly counts: Counts,
    private readonly clock: Clock,
  ) {}

  /**
   * Counts one more try of somebody at something; one too many is `platform.rate-limited`. `forget` is for a try that
   * was right.
   */
  async count(
    what: string,
    who: string,
    { most, windowMs = quarterHourMs, detail }: Limit,
  ): Promise<{ forget(): Promise<void> }> {
    const key = `tries:${what}:${hashSecret(who)}`;
    const { count, endsAt } = await this.counts.count(key, windowMs);
    if (count > most)
      throw new Problem('platform.rate-limited', {
        retryAfterSeconds: Math.max(1, Math.ceil((endsAt - this.clock.now().getTime()) / 1_000)),
        detail,
      });
    return { forget: () => this.counts.forget(key, windowMs) };
  }
}
