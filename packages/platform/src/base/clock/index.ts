/** The clock that a service's rules read. */
export abstract class Clock {
  abstract now(): Date;
}

export class SystemClock extends Clock {
  now(): Date {
    return new Date();
  }
}

/**
 * Returns how far the wall clock is ahead of the monotonic one, in ms. It changes when someone sets the clock, and when
 * a machine wakes. Deadlines and renewals inside a process use `performance.now()`; stored or signed times are
 * wall-clock times.
 */
export const clockOffset = (): number => Date.now() - performance.now();
