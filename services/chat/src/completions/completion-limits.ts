import { Injectable } from '@nestjs/common';
import { mostCompletionsAtOnce, mostCompletionsPerMinute, Problem } from '@parley/contracts';
import { Clock } from '@parley/platform/clock';
import { Platform, type Member } from '@parley/platform/service';
import type { Response } from 'express';

const minuteMs = 60_000;
const againAfterSeconds = 5;

/** How much one key, or session, may ask. */
@Injectable()
export class CompletionLimits {
  private readonly open = new Map<string, number>();

  constructor(
    private readonly platform: Platform,
    private readonly clock: Clock,
  ) {}

  /** Until the answer is closed; `platform.rate-limited` where there are as many as there may be. */
  async enter(
    { sessionKey }: Pick<Member, 'sessionKey'>,
    response: Pick<Response, 'once' | 'setHeader'>,
  ): Promise<void> {
    const open = this.open.get(sessionKey) ?? 0;
    if (open >= mostCompletionsAtOnce) throw tooMany(againAfterSeconds, `${mostCompletionsAtOnce} at the same time`);
    this.open.set(sessionKey, open + 1);
    response.once('close', () => this.leave(sessionKey));
    await this.count(sessionKey, response);
  }

  private leave(sessionKey: string): void {
    const open = (this.open.get(sessionKey) ?? 1) - 1;
    if (open > 0) this.open.set(sessionKey, open);
    else this.open.delete(sessionKey);
  }

  private async count(sessionKey: string, response: Pick<Response, 'setHeader'>): Promise<void> {
    const now = this.clock.now().getTime();
    const endsAt = new Date((Math.floor(now / minuteMs) + 1) * minuteMs);
    const key = `chat:completions:${sessionKey}:${endsAt.getTime()}`;
    // Without the shared counts everybody is let through: nobody should be kept out because they are away.
    const count = await this.platform.kv.increment(key, { expiresAt: endsAt }).catch(() => 0);
    const secondsLeft = Math.ceil((endsAt.getTime() - now) / 1_000);
    response.setHeader('x-ratelimit-limit-requests', mostCompletionsPerMinute);
    response.setHeader('x-ratelimit-remaining-requests', Math.max(0, mostCompletionsPerMinute - count));
    response.setHeader('x-ratelimit-reset-requests', `${secondsLeft}s`);
    if (count > mostCompletionsPerMinute) throw tooMany(secondsLeft, `${mostCompletionsPerMinute} a minute`);
  }
}

const tooMany = (retryAfterSeconds: number, most: string): Problem =>
  new Problem('platform.rate-limited', { detail: `An API key may ask ${most}.`, retryAfterSeconds });
