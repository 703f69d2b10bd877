import { runningLimitOf, waitingLimits } from '@parley/contracts';
import { Problem, type RouteContract } from '@parley/protocol';
import type { Counts } from '@parley/platform/counts';
import type { Caller } from './rate-limits.ts';

const lookEveryMs = 250;
const retryAfterSeconds = 2;

type Limit = 'requests' | 'uploads';
type Release = () => void;
type Queue = { running: number; readonly waiting: Set<() => void> };

/**
 * Bounds the requests of each person that are under way at once, over all replicas, and apart from them the files that
 * are being sent. What is beyond waits (`waitingLimits`). Streams are not counted: they are open for as long as the answer
 * takes, and have bounds of their own.
 */
export class RequestSlots {
  private readonly queues = new Map<string, Queue>();
  private readonly counts: Pick<Counts, 'hold'>;

  constructor(counts: Pick<Counts, 'hold'>) {
    this.counts = counts;
  }

  /** Waits for a slot; the caller releases it, once. `platform.rate-limited` where none is free in time. */
  async take(caller: Caller, route: RouteContract): Promise<Release> {
    const limit = limitOf(route);
    if (limit === null) return () => {};
    const key = `${limit} ${caller.userId}`;
    const queue = this.queues.get(key) ?? { running: 0, waiting: new Set() };
    this.queues.set(key, queue);
    const until = performance.now() + waitingLimits.forMs;
    if (queue.running < runningLimitOf(limit).person) queue.running += 1;
    else await this.wait(queue, limit);
    try {
      const leave = await this.holdUntil(until, limit, caller);
      return () => {
        leave();
        this.release(key, queue);
      };
    } catch (error) {
      this.release(key, queue);
      throw error;
    }
  }

  /** Counts people who have something under way; a person who also sends files counts twice. */
  get size(): number {
    return this.queues.size;
  }

  /** Looks again and again while other replicas have all of the person's slots, or the organisation has none left. */
  private async holdUntil(until: number, limit: Limit, caller: Caller): Promise<Release> {
    for (;;) {
      try {
        return await this.counts.hold(limit, caller);
      } catch (error) {
        if (performance.now() + lookEveryMs > until) throw error;
        await new Promise((resolve) => setTimeout(resolve, lookEveryMs));
      }
    }
  }

  /** Resolves with the slot of a request that has ended. */
  private wait({ waiting }: Queue, limit: Limit): Promise<void> {
    if (waiting.size >= waitingLimits.most) throw tooMany(limit);
    const { promise, resolve, reject } = Promise.withResolvers<void>();
    const timer = setTimeout(() => {
      waiting.delete(resolve);
      reject(tooMany(limit));
    }, waitingLimits.forMs);
    waiting.add(resolve);
    return promise.finally(() => clearTimeout(timer));
  }

  private release(key: string, queue: Queue): void {
    const [next] = queue.waiting;
    if (next) {
      queue.waiting.delete(next);
      next();
      return;
    }
    queue.running -= 1;
    if (queue.running === 0) this.queues.delete(key);
  }
}

/** Null for what is open for as long as its answer takes. */
function limitOf({ scope, stream, rawBodyLimit, patienceMs }: RouteContract): Limit | null {
  if (rawBodyLimit !== undefined) return scope === 'public' ? null : 'uploads';
  return stream !== undefined || patienceMs !== undefined ? null : 'requests';
}

function tooMany(limit: Limit): Problem {
  const { person, what, todo } = runningLimitOf(limit);
  return new Problem('platform.rate-limited', {
    retryAfterSeconds,
    detail: `You have ${person} ${what}, which is the limit. ${todo}`,
  });
}
