import type { ProblemCode } from '@parley/protocol';

const minuteMs = 60_000;
const quarterHourMs = 15 * minuteMs;

type Attempts = {
  /** Names the counted act, for the page of limits. */
  readonly what: string;
  readonly most: number;
  /** The length of a counting window, in ms. */
  readonly windowMs: number;
  /** Tells the person why an attempt above the limit is refused; `{most}` stands for the limit. */
  readonly detail: string;
  /** The code of the refusal; `platform.rate-limited` without one. */
  readonly problem?: ProblemCode;
};

const emails = { windowMs: 60 * minuteMs, problem: 'org.email-limit-reached' } as const;
const emailsAbove = (who: string): string =>
  `${who} can send {most} invitation emails in an hour. Send the others in an hour, or ask a platform admin to raise the limit.`;

/** Limits how often an account, network or organisation can attempt what may be a guess at a secret or is expensive. */
export const attemptLimits = {
  'sign-in': {
    what: 'Wrong passwords for an account from one network',
    most: 10,
    windowMs: quarterHourMs,
    detail: 'Too many wrong tries for this account from your network.',
  },
  password: {
    what: 'Wrong current passwords of a person',
    most: 10,
    windowMs: quarterHourMs,
    detail: 'Too many attempts with a wrong current password.',
  },
  reset: {
    what: 'Links for a new password for an email address from one network',
    most: 5,
    windowMs: quarterHourMs,
    detail: 'Too many links were asked for with this address from your network.',
  },
  registration: {
    what: 'Registrations without an invitation from one network, unless `PARLEY_REGISTRATIONS_PER_HOUR` sets another number',
    most: 20,
    windowMs: 60 * minuteMs,
    detail: 'Too many people have registered from your network this hour. Try again later, or ask for an invitation.',
  },
  invitation: {
    what: 'Registrations by an invitation, refused with 410; a link sets another number: its maximum uses',
    most: 1,
    windowMs: 24 * 60 * minuteMs,
    detail: 'As many people as it is for have registered by it today.',
  },
  'api-key': {
    what: 'API keys that don’t work from one address; those that work are never refused',
    most: 10,
    windowMs: minuteMs,
    detail: 'This key does not work, like 10 others from this address within a minute.',
  },
  'organisation-emails': {
    ...emails,
    what: 'Invitation emails of an organisation, unless a platform admin sets another number',
    most: 500,
    detail: emailsAbove('Your organisation'),
  },
  'person-emails': {
    ...emails,
    what: 'Invitation emails of a person, unless the number of the organisation was raised',
    most: 200,
    detail: emailsAbove('You'),
  },
  'new-account-emails': {
    ...emails,
    what: 'Invitation emails of an account that is less than a day old and came without an invitation',
    most: 20,
    detail: emailsAbove('On its first day a new account'),
  },
  'network-emails': {
    ...emails,
    what: 'Invitation emails from one network, unless the number of the organisation was raised',
    most: 500,
    detail: emailsAbove('Your network'),
  },
} as const satisfies Readonly<Record<string, Attempts>>;
export type AttemptLimit = keyof typeof attemptLimits;

/** Returns a limit in a type that all limits share. */
export const attemptLimitOf = (limit: AttemptLimit): Attempts => attemptLimits[limit];
