const minuteMs = 60_000;
const quarterHourMs = 15 * minuteMs;

type Attempts = {
  readonly most: number;
  /** They are counted by windows of this length. */
  readonly windowMs: number;
  /** What somebody reads who tries once more. */
  readonly detail: string;
};

/** How often something can be attempted that may be a guess, or costs much: by an account, a network or both. */
export const attemptLimits = {
  'sign-in': { most: 10, windowMs: quarterHourMs, detail: 'Too many wrong tries for this account from your network.' },
  password: { most: 10, windowMs: quarterHourMs, detail: 'Too many attempts with a wrong current password.' },
  reset: {
    most: 5,
    windowMs: quarterHourMs,
    detail: 'Too many links were asked for with this address from your network.',
  },
  /** Without an invitation, unless `PARLEY_REGISTRATIONS_PER_HOUR` sets another number. */
  registration: {
    most: 20,
    windowMs: 60 * minuteMs,
    detail: 'Too many people have registered from your network this hour. Try again later, or ask for an invitation.',
  },
  'api-key': {
    most: 10,
    windowMs: minuteMs,
    detail: 'This key does not work, like 10 others from this address within a minute.',
  },
} as const satisfies Readonly<Record<string, Attempts>>;
export type AttemptLimit = keyof typeof attemptLimits;
