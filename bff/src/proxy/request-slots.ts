import { Problem, type RouteContract, type UserId } from '@parley/contracts';

/** Requests of one person that a process has under way at once, over all their sessions and API keys. */
export const mostRequestsOfPerson = 24;
/** Further ones wait for a slot: so many of them, for so long. */
export const mostWaitingOfPerson = 200;
const longestWaitMs = 10_000;
const retryAfterSeconds = 2;

type Release = () => void;
type Person = { running: number; readonly waiting: Set<() => void> };

/**
 * Bounds the requests of each person that are under way at once. Uploads and streams are not counted: they are open for
 * as long as the person's line or the answer takes, and have bounds of their own.
 */
export class RequestSlots {
  private readonly people = new Map<UserId, Person>();

  /** Waits for a slot; the caller releases it, once. `platform.rate-limited` where none is free in time. */
  async take(userId: UserId, route: RouteContract): Promise<Release> {
    if (isHeldOpen(route)) return () => {};
    const person = this.people.get(userId) ?? { running: 0, waiting: new Set() };
    this.people.set(userId, person);
    if (person.running < mostRequestsOfPerson) person.running += 1;
    else await this.wait(person);
    return () => this.release(userId, person);
  }

  /** How many people have something under way. */
  get size(): number {
    return this.people.size;
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
    detail: `At most ${mostRequestsOfPerson} requests of one person run at once.`,
  });
