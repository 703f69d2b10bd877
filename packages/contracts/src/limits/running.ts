type Running = {
  readonly what: string;
  /** What a person can do who has as many. */
  readonly todo: string;
  readonly person: number;
  readonly organisation?: number;
};

/**
 * What can be under way at the same time, over all replicas: of a person, over all their sessions and API keys, and of
 * everybody in an organisation.
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

/** Limits the requests that wait in one process of the BFF, of one person and cost class, because as many run as can. */
export const waitingLimits = { most: 200, forMs: 10_000 } as const;

/**
 * Limits the sign-in passwords that each auth process compares at the same time (19 MiB and one thread each). `waiting`
 * limits the queue, which holds about a minute of comparisons.
 */
export const signInLimits = { atOnce: 2, waiting: 2_000 } as const;

/** Returns a limit in one type, whichever it has. */
export const runningLimitOf = (limit: RunningLimit): Running => runningLimits[limit];
