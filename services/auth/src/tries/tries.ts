import { Injectable } from '@nestjs/common';
import { Problem } from '@parley/contracts';
import { Clock } from '@parley/platform/clock';
import { hashSecret } from '@parley/platform/crypto';
import { Kv } from '@parley/platform/kv';

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
    private readonly kv: Kv,
    private readonly clock: Clock,
  ) {}

  /**
   * Counts one more try of somebody at something; one too many is `platform.rate-limited`. Where the counts are away
   * everybody is let through. `forget` is for a try that was right.
   */
  async count(
    what: string,
    who: string,
    { most, windowMs = quarterHourMs, detail }: Limit,
  ): Promise<{ forget(): Promise<void> }> {
    const now = this.clock.now().getTime();
    const window = Math.floor(now / windowMs);
    const endsAt = (window + 1) * windowMs;
    const key = `auth:tries:${what}:${hashSecret(who)}:${window}`;
    const tries = await this.kv.increment(key, { expiresAt: new Date(endsAt) }).catch(() => 0);
    if (tries > most)
      throw new Problem('platform.rate-limited', { retryAfterSeconds: Math.ceil((endsAt - now) / 1000), detail });
    return { forget: () => this.kv.delete(key).catch(() => undefined) };
  }
}
