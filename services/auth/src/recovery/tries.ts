import { Injectable } from '@nestjs/common';
import { Problem } from '@parley/contracts';
import { Clock } from '@parley/platform/clock';
import { hashSecret } from '@parley/platform/crypto';
import { Kv } from '@parley/platform/kv';

const windowMs = 15 * 60_000;

/** Counts what is tried, per quarter of an hour. */
@Injectable()
export class Tries {
  constructor(
    private readonly kv: Kv,
    private readonly clock: Clock,
  ) {}

  /**
   * Counts one more try of somebody at something; beyond `most` it is `platform.rate-limited`. Where the counts are away
   * everybody is let through. `forget` is for a try that was right.
   */
  async count(what: string, who: string, most: number): Promise<{ forget(): Promise<void> }> {
    const now = this.clock.now().getTime();
    const window = Math.floor(now / windowMs);
    const endsAt = (window + 1) * windowMs;
    const key = `auth:tries:${what}:${hashSecret(who)}:${window}`;
    const count = await this.kv.increment(key, { expiresAt: new Date(endsAt) }).catch(() => 0);
    if (count > most)
      throw new Problem('platform.rate-limited', { retryAfterSeconds: Math.ceil((endsAt - now) / 1000) });
    return { forget: () => this.kv.delete(key).catch(() => undefined) };
  }
}
