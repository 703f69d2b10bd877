type Running = {
  readonly what: string;
  /** The advice for a person at the limit. */
  readonly todo: string;
  readonly person: number;
  readonly organisation?: number;
};

/**
 * Limits what runs at the same time over all replicas: per person, over all their sessions and API keys, and per
 * organisation.
 */
export const runningLimits = {
  answers: {
    what: 'answers that are being written or wait to be',
    todo: 'Wait for some of them, or stop them.',
    person: 200,
    organisation: 2_000,
  },
  sockets: { what: 'open tabs', todo: 'Close some of them.', person: 100 },
} as const satisfies Readonly<Record<string, Running>>;
export type RunningLimit = keyof typeof runningLimits;

/** Limits how many requests of one person or address and cost class wait in one BFF process, and for how long. */
export const waitingLimits = { most: 200, forMs: 10_000 } as const;

/**
 * Limits the sign-in passwords that each auth process compares at the same time (19 MiB and one thread each). `waiting`
 * limits the queue, which holds about a minute of comparisons.
 */
export const signInLimits = { atOnce: 2, waiting: 2_000 } as const;

/** Returns a limit in a type that all limits share. */
export const runningLimitOf = (limit: RunningLimit): Running => runningLimits[limit];
