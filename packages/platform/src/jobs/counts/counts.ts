import { attemptLimitOf, attemptLimits, runningLimitOf, type AttemptLimit, type RunningLimit } from '@parley/contracts';
import { Problem, type OrgId, type UserId } from '@parley/protocol';
import { randomUUID } from 'node:crypto';
import { hashSecret } from '../../base/crypto/index.ts';
import { MemoryKv, type Kv } from '../../ports/kv/index.ts';

/** After a failure of the shared store, this process counts alone for this long before it asks the store again. */
const aloneForMs = 2_000;
const minuteMs = 60_000;
/** Limits how long a hold (running work) counts without renewal, so that holds of a dead process expire. */
const heldMs = 90_000;
const renewEveryMs = 30_000;
const retryAfterSeconds = 5;

/** The count of a time window so far, and the end of the window in ms since 1970. */
export type Counted = { readonly count: number; readonly endsAt: number };
/** `add` changes the count of the same window again, also when it is over. */
export type Counting = Counted & { add(by: number): Promise<number> };
/** `forget` deletes the count after a correct attempt; `takeBack` takes these attempts away again, or some of them. */
export type Attempted = { forget(): Promise<void>; takeBack(some?: number): Promise<unknown> };
/** Names the person and organisation for whom something is counted; `orgId` is null outside of an organisation. */
export type Holder = { readonly userId: UserId; readonly orgId: OrgId | null };
/** A limit: the counted key, the maximum, and the text of the refusal. */
export type Bound = { readonly key: string; readonly most: number; readonly refusal: string };

/**
 * Counts over all replicas in `Kv`: rates by window, and work that is running. Never fails: while `Kv` is unavailable
 * each process counts alone. The counts only limit load, so losing them does no harm.
 */
export class Counts {
  private readonly alone = new MemoryKv();
  private aloneUntil = 0;
  private readonly held = new Map<string, Bound>();
  private timer: NodeJS.Timeout | null = null;

  constructor(
    private readonly kv: Kv,
    private readonly now: () => number = () => Date.now(),
  ) {}

  /** Adds `by` to the key's count in the current window, by default 1 in a minute, and returns the new count. */
  async count(key: string, windowMs = minuteMs, by = 1): Promise<Counting> {
    const { name, endsAt } = this.windowOf(key, windowMs);
    const expiresAt = new Date(endsAt);
    const add = (more: number) => this.ask((kv) => kv.increment(name, { by: more, expiresAt }));
    return { count: await add(by), endsAt, add };
  }

  /** Returns the key's count in the current minute without adding to it. */
  async counted(key: string): Promise<Counted> {
    const { name, endsAt } = this.windowOf(key, minuteMs);
    return { count: Number((await this.ask((kv) => kv.get(name))) ?? 0), endsAt };
  }

  /**
   * Counts attempts in the current window. If they exceed the limit, counts none and throws the limit's problem. `most`
   * overrides the number of `attemptLimits`.
   */
  async attempt(
    limit: AttemptLimit,
    who: string,
    { most = attemptLimits[limit].most as number, count: by = 1 } = {},
  ): Promise<Attempted> {
    const { windowMs, detail, problem } = attemptLimitOf(limit);
    const key = `tries:${limit}:${hashSecret(who)}`;
    const { count, endsAt, add } = await this.count(key, windowMs, by);
    if (count <= most) return { forget: () => this.forget(key, windowMs), takeBack: (some = by) => add(-some) };
    await add(-by);
    const retryAfterSeconds = Math.max(1, Math.ceil((endsAt - this.now()) / 1_000));
    throw new Problem(problem ?? 'platform.rate-limited', {
      retryAfterSeconds,
      detail: detail.replace('{most}', String(most)),
    });
  }

  /**
   * Counts one more piece of work as running, while this process lives or until the returned function is called; throws
   * `platform.rate-limited` above the limit.
   */
  hold(limit: RunningLimit, holder: Holder): Promise<() => void> {
    return this.holdAll(boundsOf(limit, holder));
  }

  /** Counts one more piece of work as running under all of these limits, or under none; see `hold`. */
  async holdAll(bounds: readonly Bound[]): Promise<() => void> {
    const member = randomUUID();
    const entered: Bound[] = [];
    const release = () => {
      for (const bound of entered) {
        this.held.delete(`${bound.key} ${member}`);
        void this.leave(bound.key, member);
      }
    };
    for (const bound of bounds) {
      if (!(await this.enter(bound, member, heldMs))) {
        release();
        throw tooMany(bound);
      }
      entered.push(bound);
      this.held.set(`${bound.key} ${member}`, bound);
    }
    this.timer ??= setInterval(() => void this.renew(), renewEveryMs).unref();
    return release;
  }

  /** Counts work as running like `hold`, for `forMs` milliseconds at most; another process can end it (`end`). */
  async begin(
    limit: RunningLimit,
    holder: Holder,
    { member, forMs }: { member: string; forMs: number },
  ): Promise<void> {
    const bounds = boundsOf(limit, holder);
    for (const bound of bounds)
      if (!(await this.enter(bound, member, forMs))) {
        await this.end(limit, holder, member);
        throw tooMany(bound);
      }
  }

  async end(limit: RunningLimit, holder: Holder, member: string): Promise<void> {
    await Promise.all(boundsOf(limit, holder).map(({ key }) => this.leave(key, member)));
  }

  close(): void {
    if (this.timer) clearInterval(this.timer);
  }

  private async forget(key: string, windowMs: number): Promise<void> {
    const { name } = this.windowOf(key, windowMs);
    await Promise.all([this.ask((kv) => kv.delete(name)), this.alone.delete(name)]);
  }

  private windowOf(key: string, windowMs: number): { readonly name: string; readonly endsAt: number } {
    const window = Math.floor(this.now() / windowMs);
    return { name: `count:${key}:${window}`, endsAt: (window + 1) * windowMs };
  }

  private async renew(): Promise<void> {
    for (const [name, bound] of this.held) {
      const member = name.slice(bound.key.length + 1);
      // Continues although the limit may be reached: another hold can have taken the slot while this process couldn't
      // reach `Kv`.
      await this.enter(bound, member, heldMs);
    }
  }

  private enter({ key, most }: Bound, member: string, forMs: number): Promise<boolean> {
    return this.ask((kv) => kv.enter(key, member, { most, expiresAt: new Date(Date.now() + forMs) }));
  }

  private async leave(key: string, member: string): Promise<void> {
    await Promise.all([this.ask((kv) => kv.leave(key, member)), this.alone.leave(key, member)]);
  }

  private async ask<Answer>(act: (kv: Kv) => Promise<Answer>): Promise<Answer> {
    if (performance.now() < this.aloneUntil) return act(this.alone);
    try {
      return await act(this.kv);
    } catch {
      this.aloneUntil = performance.now() + aloneForMs;
      return act(this.alone);
    }
  }
}

function boundsOf(limit: RunningLimit, { userId, orgId }: Holder): Bound[] {
  const { person, organisation, what, todo } = runningLimitOf(limit);
  const of = (key: string, most: number, who: string): Bound => ({
    key: `running:${limit}:${key}`,
    most,
    refusal: `${who} ${most} ${what}, which is the limit. ${todo}`,
  });
  const bounds = [of(userId, person, 'You have')];
  if (orgId !== null && organisation !== undefined)
    bounds.push(of(`of:${orgId}`, organisation, 'Your organisation has'));
  return bounds;
}

const tooMany = ({ refusal }: Bound): Problem =>
  new Problem('platform.rate-limited', { detail: refusal, retryAfterSeconds });
