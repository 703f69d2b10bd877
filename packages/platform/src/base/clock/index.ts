/** The time that a service's rules go by. */
export abstract class Clock {
  abstract now(): Date;
}

export class SystemClock extends Clock {
  now(): Date {
    return new Date();
  }
}

/**
 * How far the wall clock is ahead of the monotonic one, in milliseconds. It changes when somebody sets the clock, and when
 * a machine wakes. Deadlines and renewals inside a process use `performance.now()`; what is stored or signed is wall-clock
 * time.
 */
export const clockOffset = (): number => Date.now() - performance.now();
