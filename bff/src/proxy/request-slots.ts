import { Problem, runningLimits, type RouteContract, type UserId } from '@parley/contracts';
import type { Counts } from '@parley/platform/counts';
import type { Caller } from './rate-limits.ts';

/** How many further requests of a person can wait for a slot, and for how long. */
export const mostWaitingOfPerson = 200;
const longestWaitMs = 10_000;
const lookEveryMs = 250;
const retryAfterSeconds = 2;
const most = runningLimits.requests.person;

type Release = () => void;
type Person = { running: number; readonly waiting: Set<() => void> };

/**
 * Bounds the requests of each person that are under way at once, over all replicas. Streams are not counted: they are
 * open for as long as the answer takes, and have bounds of their own; uploads are counted apart.
 */
export class RequestSlots {
  private readonly people = new Map<UserId, Person>();
  private readonly counts: Pick<Counts, 'hold'>;

  constructor(counts: Pick<Counts, 'hold'>) {
    this.counts = counts;
  }

  /** Waits for a slot; the caller releases it, once. `platform.rate-limited` where none is free in time. */
  async take(caller: Caller, route: RouteContract): Promise<Release> {
    if (route.rawBodyLimit !== undefined && route.scope !== 'public') return this.counts.hold('uploads', caller);
    if (isHeldOpen(route)) return () => {};
    const { userId } = caller;
    const person = this.people.get(userId) ?? { running: 0, waiting: new Set() };
    this.people.set(userId, person);
    const until = performance.now() + longestWaitMs;
    if (person.running < most) person.running += 1;
    else await this.wait(person);
    try {
      const leave = await this.holdUntil(until, caller);
      return () => {
        leave();
        this.release(userId, person);
      };
    } catch (error) {
      this.release(userId, person);
      throw error;
    }
  }

  /** How many people have something under way. */
  get size(): number {
    return this.people.size;
  }

  /** Where other replicas have all of the person's slots, looks again and again. */
  private async holdUntil(until: number, caller: Caller): Promise<Release> {
    for (;;) {
      try {
        return await this.counts.hold('requests', caller);
      } catch (error) {
        if (performance.now() + lookEveryMs > until) throw error;
        await new Promise((resolve) => setTimeout(resolve, lookEveryMs));
      }
    }
  }

  /** Resolves with the slot of a request that has ended. */
  private wait(person: Person): Promise<void> {
    if (person.waiting.size >= mostWaitingOfPerson) throw tooMany();
    const { promise, resolve, reject } = Promise.withResolvers<void>();
    const timer = setTimeout(() => {
      person.waiting.delete(resolve);
      reject(tooMany());
    }, longestWaitMs);
    person.waiting.add(resolve);
    return promise.finally(() => clearTimeout(timer));
  }

  private release(userId: UserId, person: Person): void {
    const [next] = person.waiting;
    if (next) {
      person.waiting.delete(next);
      next();
      return;
    }
    person.running -= 1;
    if (person.running === 0) this.people.delete(userId);
  }
}

const isHeldOpen = ({ stream, rawBodyLimit, patienceMs }: RouteContract): boolean =>
  stream !== undefined || rawBodyLimit !== undefined || patienceMs !== undefined;

const tooMany = (): Problem =>
  new Problem('platform.rate-limited', {
    retryAfterSeconds,
    detail: `You have ${most} ${runningLimits.requests.what}, which is the limit. ${runningLimits.requests.todo}`,
  });
